#include "base/tls_context.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string_view>

namespace berth {
namespace {

template <auto kFree>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Bio = std::unique_ptr<BIO, Deleter<BIO_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;

Bio Reader(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Null at the end of the text.
Certificate NextCertificate(BIO* pem) {
  return Certificate(PEM_read_bio_X509(pem, nullptr, nullptr, nullptr));
}

// A key under a passphrase is refused: there is nobody to ask.
int NoPassphrase(char*, int, int, void*) { return -1; }

int TakeDownProblem(int verified, X509_STORE_CTX* store) {
  if (verified == 1) return 1;
  auto* ssl =
      static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* problem = static_cast<std::string*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
  *problem = X509_verify_cert_error_string(X509_STORE_CTX_get_error(store));
  return 0;
}

Status Refused(std::string_view what) {
  std::string message(what);
  if (const unsigned long error = ERR_peek_last_error(); error != 0) {
    message += std::string(": ") + ERR_reason_error_string(error);
  }
  ERR_clear_error();
  return absl::InvalidArgumentError(message);
}

}  // namespace

Status TrustAuthorities(SSL_CTX* context, const std::string& pem) {
  X509_STORE* store = X509_STORE_new();
  SSL_CTX_set_cert_store(context, store);  // takes ownership
  const Bio reader = Reader(pem);
  int count = 0;
  while (const Certificate certificate = NextCertificate(reader.get())) {
    if (X509_STORE_add_cert(store, certificate.get()) != 1) {
      return Refused("a certificate authority cannot be used");
    }
    ++count;
  }
  if (count == 0) return Refused("no certificate (PEM)");
  ERR_clear_error();  // the end of the text counts as an error
  return absl::OkStatus();
}

Status UseIdentity(SSL_CTX* context, const std::string& certificate_pem,
                   const std::string& key_pem) {
  const Bio reader = Reader(certificate_pem);
  const Certificate certificate = NextCertificate(reader.get());
  if (!certificate || SSL_CTX_use_certificate(context, certificate.get()) != 1) {
    return Refused("no usable certificate (PEM)");
  }
  while (Certificate intermediate = NextCertificate(reader.get())) {
    SSL_CTX_add_extra_chain_cert(context, intermediate.release());  // takes ownership
  }
  const Bio key_reader = Reader(key_pem);
  const Key key(PEM_read_bio_PrivateKey(key_reader.get(), nullptr, NoPassphrase, nullptr));
  if (!key) return Refused("no usable private key (PEM, without a passphrase)");
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    return Refused("the private key does not belong to the certificate");
  }
  ERR_clear_error();
  return absl::OkStatus();
}

void VerifyServer(SSL_CTX* context, const std::string& name, std::string* problem) {
  X509_VERIFY_PARAM* expected = SSL_CTX_get0_param(context);
  if (X509_VERIFY_PARAM_set1_ip_asc(expected, name.c_str()) != 1) {
    ERR_clear_error();  // it is no address
    X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    X509_VERIFY_PARAM_set1_host(expected, name.c_str(), name.size());
  }
  SSL_CTX_set_app_data(context, problem);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, TakeDownProblem);
}

}  // namespace berth
