package org.jspdl.service;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// What a worker shows and asks for, so that what travels is encrypted. Immutable; files are read when the worker
/// starts, so one with a new certificate has to be started again.
///
/// @param certificate PEM: the worker's certificate, then those that lead to its authority
/// @param key         PEM: its private key (`BEGIN PRIVATE KEY`), not encrypted; RSA, elliptic curve or EdDSA
/// @param clients     PEM: the authorities of loaders; if given, only loaders with a certificate of one are answered
public record ServerTls(Path certificate, Path key, Optional<Path> clients) {

    /// Of a certificate and its key, for loaders without certificates.
    public static ServerTls of(Path certificate, Path key) {
        return new ServerTls(certificate, key, Optional.empty());
    }

    /// The same for loaders alone that have a certificate of these authorities.
    public ServerTls clients(Path authorities) {
        return new ServerTls(certificate, key, Optional.of(authorities));
    }

    /// @throws IOException if a file cannot be used; the message names it
    SSLContext context() throws IOException {
        List<X509Certificate> chain = PemFiles.certificates(certificate);
        PemFiles.requireValid(chain.getFirst(), certificate);
        return PemFiles.context(
                Optional.of(new PemFiles.Identity(chain, PemFiles.key(key, chain.getFirst(), certificate))),
                clients.isPresent() ? Optional.of(PemFiles.certificates(clients.get())) : Optional.empty());
    }
}
