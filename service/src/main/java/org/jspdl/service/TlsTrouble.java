package org.jspdl.service;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/// Why no connection with TLS comes about, in words that say what to do.
final class TlsTrouble {
    private static final int DEEPEST = 20;
    private static final long ASKING_SECONDS = 2;
    private static final String WITHOUT =
            "answers without TLS: write http:// in place of https://, or give it a certificate";

    private TlsTrouble() {}

    /// Why `worker` can't be asked, if that is a matter of TLS that does not pass by itself.
    static Optional<String> of(Throwable failure, URI worker, ClientOptions options) {
        boolean isTls = false;
        int deep = 0;
        for (Throwable each = failure; each != null && deep < DEEPEST; each = each.getCause()) {
            deep++;
            isTls |= each instanceof SSLException;
            String said = String.valueOf(each.getMessage());
            if (each instanceof CertificateExpiredException) {
                return Optional.of("its certificate has expired: " + said);
            }
            if (each instanceof CertificateNotYetValidException) {
                return Optional.of("its certificate is not valid yet: " + said);
            }
            if (each instanceof CertPathBuilderException) {
                return Optional.of("its certificate is of no authority "
                        + options.tls()
                                .authorities()
                                .map(file -> "in " + file)
                                .orElse("that Java trusts; name the file of its authority in "
                                        + ClientTls.AUTHORITIES_VARIABLE));
            }
            if (each instanceof CertificateException && said.startsWith("No ")) {
                return Optional.of("its certificate is not for " + worker.getHost() + ": " + said);
            }
            if (isTls && said.contains("Unsupported or unrecognized SSL message")) {
                return Optional.of(WITHOUT);
            }
            if (isTls && said.contains("fatal alert: ") && isOfCertificates(said)) {
                return Optional.of("refuses this loader's certificate, or that it has none ("
                        + said.substring(said.lastIndexOf("alert: ") + "alert: ".length()) + "): name one of an"
                        + " authority that it trusts in " + ClientTls.CERTIFICATE_VARIABLE + " and "
                        + ClientTls.KEY_VARIABLE);
            }
            if ("http".equals(worker.getScheme()) && isAlert(said)) {
                return Optional.of("answers with TLS: write https:// in place of http://");
            }
        }
        return Optional.empty();
    }

    /// Why a worker did not answer the greeting of TLS: one without TLS takes it for the beginning of a request,
    /// and waits for the rest of that. So it is asked in the other way.
    static Optional<String> ofSilence(Throwable failure, URI worker, HttpClient client) {
        boolean isSilence = failure instanceof HttpTimeoutException || failure instanceof SSLException;
        if (!"https".equals(worker.getScheme()) || !isSilence) {
            return Optional.empty();
        }
        try {
            URI plain = URI.create("http://" + worker.getRawAuthority() + "/health");
            client.sendAsync(HttpRequest.newBuilder(plain).build(), HttpResponse.BodyHandlers.discarding())
                    .orTimeout(ASKING_SECONDS, TimeUnit.SECONDS)
                    .join();
            return Optional.of(WITHOUT);
        } catch (CompletionException | CancellationException silentToo) {
            return Optional.empty();
        }
    }

    private static boolean isOfCertificates(String said) {
        return said.contains("certificate") || said.contains("unknown_ca") || said.contains("access_denied");
    }

    /// What the client of HTTP says if the first bytes are those of an alert of TLS.
    private static boolean isAlert(String said) {
        return said.contains("status line") && said.indexOf('\u0015') >= 0;
    }
}
