package org.jspdl.service;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// Whom a loader trusts, and what it shows, where workers are `https://`. Immutable; files are read when a loader
/// opens.
///
/// @param authorities PEM: the authorities of workers; empty for those that Java trusts
/// @param certificate PEM: the loader's own certificate, then those that lead to its authority; empty for none
/// @param key         PEM: its private key (`BEGIN PRIVATE KEY`), not encrypted; there if the certificate is
public record ClientTls(Optional<Path> authorities, Optional<Path> certificate, Optional<Path> key) {
    /// Where the authorities come from if a program gives none.
    public static final String AUTHORITIES_VARIABLE = "JSPDL_SERVICE_CA";
    /// Where the certificate comes from.
    public static final String CERTIFICATE_VARIABLE = "JSPDL_SERVICE_CERTIFICATE";
    /// Where its key comes from.
    public static final String KEY_VARIABLE = "JSPDL_SERVICE_KEY";

    /// Checks that a certificate has a key.
    public ClientTls {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException("a certificate and its key go together: give both ("
                    + CERTIFICATE_VARIABLE + ", " + KEY_VARIABLE + ") or none");
        }
    }

    /// Trusts what Java trusts, and shows nothing.
    public static ClientTls defaults() {
        return new ClientTls(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /// What the variables `JSPDL_SERVICE_CA`, `JSPDL_SERVICE_CERTIFICATE` and `JSPDL_SERVICE_KEY` say.
    static ClientTls of(Map<String, String> environment) {
        return new ClientTls(
                path(environment, AUTHORITIES_VARIABLE),
                path(environment, CERTIFICATE_VARIABLE),
                path(environment, KEY_VARIABLE));
    }

    private static Optional<Path> path(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name))
                .filter(text -> !text.isBlank())
                .map(Path::of);
    }

    /// The same, trusting workers with a certificate of these authorities, and no others.
    public ClientTls trusting(Path newAuthorities) {
        return new ClientTls(Optional.of(newAuthorities), certificate, key);
    }

    /// The same, showing a certificate to workers that ask for one.
    public ClientTls showing(Path newCertificate, Path newKey) {
        return new ClientTls(authorities, Optional.of(newCertificate), Optional.of(newKey));
    }

    /// @throws IOException if a file cannot be used; the message names it
    SSLContext context() throws IOException {
        Optional<PemFiles.Identity> own = Optional.empty();
        if (certificate.isPresent() && key.isPresent()) {
            List<X509Certificate> chain = PemFiles.certificates(certificate.get());
            PemFiles.requireValid(chain.getFirst(), certificate.get());
            own = Optional.of(
                    new PemFiles.Identity(chain, PemFiles.key(key.get(), chain.getFirst(), certificate.get())));
        }
        return PemFiles.context(
                own,
                authorities.isPresent() ? Optional.of(PemFiles.certificates(authorities.get())) : Optional.empty());
    }
}
