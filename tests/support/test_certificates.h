#pragma once

#include <memory>
#include <string>

namespace berth {

// PEM texts.
struct TestIdentity {
  std::string certificate;
  std::string key;
};

// A certificate authority made on the spot, for tests of TLS. Certificates are valid for a day.
class TestAuthority {
 public:
  explicit TestAuthority(const std::string& name = "test authority");
  ~TestAuthority();

  std::string certificate() const;

  // `names` as OpenSSL writes them: "IP:127.0.0.1,DNS:localhost"; empty: none, as clients have it.
  TestIdentity Issue(const std::string& common_name, const std::string& names = "") const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth
