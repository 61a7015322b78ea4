#pragma once

#include <openssl/ossl_typ.h>

#include <string>

#include "berth/result.h"

namespace berth {

// Setting up OpenSSL from PEM texts. Errors say what the text should hold and why OpenSSL refused
// it.

// Trusts these certificates and no others.
Status TrustAuthorities(SSL_CTX* context, const std::string& pem);

// Proves who we are: a certificate, with its intermediates after it, and its private key.
Status UseIdentity(SSL_CTX* context, const std::string& certificate_pem,
                   const std::string& key_pem);

// Accepts only a server that the authorities vouch for under this name or IP address. When a
// handshake fails for that, `problem` (which outlives the context) says why.
void VerifyServer(SSL_CTX* context, const std::string& name, std::string* problem);

}  // namespace berth
