#include "support/test_certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <atomic>
#include <utility>

#include "base/check.h"

namespace berth {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

Key NewKey() { return Key(EVP_EC_gen("P-256"), EVP_PKEY_free); }

template <class Write>
std::string Pem(Write write) {
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free);
  BERTH_CHECK(write(bio.get()) == 1, "OpenSSL could not write PEM");
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return std::string(data, static_cast<size_t>(size));
}

std::string Pem(X509* certificate) {
  return Pem([=](BIO* bio) { return PEM_write_bio_X509(bio, certificate); });
}

std::string Pem(EVP_PKEY* key) {
  return Pem([=](BIO* bio) {
    return PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

void AddExtension(X509* certificate, int id, const std::string& value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, id, value.c_str());
  BERTH_CHECK(extension != nullptr, "OpenSSL does not know this extension");
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

// Not yet signed.
Certificate Draft(const std::string& common_name, EVP_PKEY* key) {
  static std::atomic<long> serial = 1;
  constexpr long kDay = 24 * 3600;
  Certificate certificate(X509_new(), X509_free);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial++);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kDay);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(common_name.c_str()), -1, -1,
                             0);
  return certificate;
}

void Sign(X509* certificate, X509* issuer, EVP_PKEY* key) {
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  BERTH_CHECK(X509_sign(certificate, key, EVP_sha256()) > 0, "OpenSSL could not sign");
}

}  // namespace

struct TestAuthority::Impl {
  Key key;
  Certificate certificate;
};

TestAuthority::TestAuthority(const std::string& name) {
  Key key = NewKey();
  Certificate certificate = Draft(name, key.get());
  AddExtension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  Sign(certificate.get(), certificate.get(), key.get());
  impl_.reset(new Impl{.key = std::move(key), .certificate = std::move(certificate)});
}

TestAuthority::~TestAuthority() = default;

std::string TestAuthority::certificate() const { return Pem(impl_->certificate.get()); }

TestIdentity TestAuthority::Issue(const std::string& common_name, const std::string& names) const {
  const Key key = NewKey();
  const Certificate certificate = Draft(common_name, key.get());
  if (!names.empty()) AddExtension(certificate.get(), NID_subject_alt_name, names);
  Sign(certificate.get(), impl_->certificate.get(), impl_->key.get());
  return {.certificate = Pem(certificate.get()), .key = Pem(key.get())};
}

}  // namespace berth
