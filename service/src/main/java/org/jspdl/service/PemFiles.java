package org.jspdl.service;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspdl.files.InputFile;

/// Certificates and keys in files as OpenSSL writes them.
final class PemFiles {
    /// A bundle of all public authorities has a quarter of this.
    private static final int MOST_BYTES = 1 << 20;

    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private PemFiles() {}

    /// A certificate, those that lead to its authority, and its key.
    record Identity(List<X509Certificate> chain, PrivateKey key) {}

    /// At least one.
    static List<X509Certificate> certificates(Path file) throws IOException {
        byte[] bytes = bytes(file);
        List<X509Certificate> all = new ArrayList<>();
        try {
            for (Certificate each :
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes))) {
                all.add((X509Certificate) each);
            }
        } catch (GeneralSecurityException | ClassCastException malformed) {
            throw new IOException(file + ": a certificate can't be read: " + malformed.getMessage(), malformed);
        }
        if (all.isEmpty()) {
            throw new IOException(file + ": there is no certificate in it (-----BEGIN CERTIFICATE-----)");
        }
        return all;
    }

    static void requireValid(X509Certificate certificate, Path file) throws IOException {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException over) {
            throw new IOException(
                    file + ": the certificate of " + certificate.getSubjectX500Principal() + " expired on "
                            + certificate.getNotAfter().toInstant() + "; have a new one made",
                    over);
        } catch (CertificateNotYetValidException early) {
            throw new IOException(
                    file + ": the certificate of " + certificate.getSubjectX500Principal() + " is not valid before "
                            + certificate.getNotBefore().toInstant() + "; is the clock of this machine right?",
                    early);
        }
    }

    /// The key of `certificate`. Its text is in no message.
    static PrivateKey key(Path file, X509Certificate certificate, Path certificateFile) throws IOException {
        String text = new String(bytes(file), StandardCharsets.ISO_8859_1);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(file + ": there is no key as " + BEGIN + " in it"
                    + (text.contains("PRIVATE KEY-----")
                            ? "; it is encrypted or of another form. openssl pkcs8 -topk8 -nocrypt -in FILE writes the"
                                    + " form that is read"
                            : ""));
        }
        byte[] encoded;
        try {
            encoded = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
        } catch (IllegalArgumentException malformed) {
            throw new IOException(file + ": the key is not in Base64");
        }
        for (String algorithm : ALGORITHMS) {
            try {
                PrivateKey key = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
                requireTogether(key, file, certificate, certificateFile);
                return key;
            } catch (InvalidKeySpecException other) {
                // of the next kind, or refused below
            } catch (GeneralSecurityException unusable) {
                throw new IOException(file + ": the key can't be used: " + unusable.getMessage(), unusable);
            }
        }
        throw new IOException(file + ": the key is of none of these kinds: " + String.join(", ", ALGORITHMS));
    }

    private static void requireTogether(PrivateKey key, Path file, X509Certificate certificate, Path certificateFile)
            throws GeneralSecurityException, IOException {
        PublicKey open = certificate.getPublicKey();
        boolean fits = key.getAlgorithm().equals(open.getAlgorithm());
        if (fits) {
            String algorithm = switch (key.getAlgorithm()) {
                case "RSA" -> "SHA256withRSA";
                case "EC" -> "SHA256withECDSA";
                default -> "EdDSA";
            };
            byte[] any = {1, 2, 3};
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(any);
            byte[] signed = signing.sign();
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(open);
            verifying.update(any);
            fits = verifying.verify(signed);
        }
        if (!fits) {
            throw new IOException(file + ": the key is not that of the first certificate in " + certificateFile + " ("
                    + certificate.getSubjectX500Principal() + ")");
        }
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream input = InputFile.stream(file)) {
            byte[] bytes = input.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException(file + ": larger than " + MOST_BYTES + " bytes, which no certificate or key is");
            }
            return bytes;
        } catch (NoSuchFileException missing) {
            throw new IOException(file + ": there is no such file", missing);
        }
    }

    /// @param own     what is shown
    /// @param trusted whose certificates are taken; empty for those of Java
    static SSLContext context(Optional<Identity> own, Optional<List<X509Certificate>> trusted) throws IOException {
        try {
            char[] none = new char[0];
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            KeyStore identity = empty();
            if (own.isPresent()) {
                identity.setKeyEntry(
                        "own", own.get().key(), none, own.get().chain().toArray(Certificate[]::new));
            }
            keys.init(identity, none);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            if (trusted.isPresent()) {
                KeyStore authorities = empty();
                for (int i = 0; i < trusted.get().size(); i++) {
                    authorities.setCertificateEntry(
                            "authority-" + i, trusted.get().get(i));
                }
                trust.init(authorities);
            } else {
                trust.init((KeyStore) null);
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException failure) {
            throw new IOException("TLS can't be set up: " + failure.getMessage(), failure);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
