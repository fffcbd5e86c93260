package org.jspdl.data.azure;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspdl.data.http.HttpAddress;

/// Signs requests with the key of an account ("Authorize with Shared Key", Azure Storage REST API reference).
/// Thread-safe.
final class SharedKey {
    private static final String ALGORITHM = "HmacSHA256";
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    /// The headers whose values are signed, in this order; the date is among those of Azure's own.
    private static final List<String> SIGNED = List.of(
            "Content-Encoding",
            "Content-Language",
            "Content-Length",
            "Content-MD5",
            "Content-Type",
            "Date",
            "If-Modified-Since",
            "If-Match",
            "If-None-Match",
            "If-Unmodified-Since",
            "Range");

    private final String account;
    private final SecretKeySpec key;
    private final Clock clock;

    /// @param encoded the key as the portal shows it
    /// @throws IllegalArgumentException if that is no Base64
    SharedKey(String account, String encoded, Clock clock) {
        this.account = account;
        this.key = new SecretKeySpec(Base64.getDecoder().decode(encoded), ALGORITHM);
        this.clock = clock;
    }

    /// Adds the date and the signature to `headers`, which hold all others.
    void sign(String method, HttpAddress address, Map<String, String> headers) {
        headers.put("x-ms-date", DATE.format(clock.instant()));
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] signature = mac.doFinal(toSign(method, address, headers).getBytes(StandardCharsets.UTF_8));
            headers.put(
                    "Authorization",
                    "SharedKey " + account + ":" + Base64.getEncoder().encodeToString(signature));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// What is signed of a request.
    String toSign(String method, HttpAddress address, Map<String, String> headers) {
        TreeMap<String, String> known = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        known.putAll(headers);
        StringBuilder text = new StringBuilder(method).append('\n');
        for (String name : SIGNED) {
            String value = known.getOrDefault(name, "");
            text.append(name.equals("Content-Length") && value.equals("0") ? "" : value)
                    .append('\n');
        }
        known.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.startsWith("x-ms-")) {
                text.append(lower).append(':').append(value.strip()).append('\n');
            }
        });
        String[] target = address.target().split("\\?", 2);
        text.append('/').append(account).append(target[0]);
        TreeMap<String, String> parameters = new TreeMap<>();
        for (String pair : target.length < 2 ? new String[0] : target[1].split("&")) {
            String[] both = pair.split("=", 2);
            parameters.put(
                    both[0].toLowerCase(Locale.ROOT),
                    both.length < 2 ? "" : URLDecoder.decode(both[1], StandardCharsets.UTF_8));
        }
        parameters.forEach(
                (name, value) -> text.append('\n').append(name).append(':').append(value));
        return text.toString();
    }
}
