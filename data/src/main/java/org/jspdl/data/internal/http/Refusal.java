package org.jspdl.data.internal.http;

import java.io.IOException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.storage.StorageException.Kind;

/// An answer that is not what was asked for.
final class Refusal extends IOException {
    private static final long serialVersionUID = 1L;
    private static final Pattern CODE = Pattern.compile("<Code>(\\w{1,60})</Code>");
    private static final Pattern CREDENTIALS = Pattern.compile(
            "ExpiredToken|TokenRefreshRequired|InvalidToken|InvalidAccessKeyId|SignatureDoesNotMatch|RequestTimeTooSkewed");

    private final Kind kind;
    private final boolean retried;
    private final Duration retryAfter;
    private final boolean throttling;

    private Refusal(Kind kind, boolean retried, boolean throttling, Duration retryAfter, String message) {
        super(message);
        this.kind = kind;
        this.retried = retried;
        this.throttling = throttling;
        this.retryAfter = retryAfter;
    }

    /// The answer was no good, though the server thinks it was. Worth another try.
    static Refusal damaged(String message) {
        return new Refusal(Kind.UNAVAILABLE, true, false, Duration.ZERO, message);
    }

    /// Not worth another try.
    static Refusal forGood(Kind kind, String message) {
        return new Refusal(kind, false, false, Duration.ZERO, message);
    }

    /// What a status other than success means.
    ///
    /// @param body       the beginning of the body, in which S3 gives a code
    /// @param retryAfter what the server asked for
    static Refusal of(int status, String body, Duration retryAfter) {
        Matcher matcher = CODE.matcher(body);
        String code = matcher.find() ? matcher.group(1) : "";
        String said = "the server said " + status + (code.isEmpty() ? "" : " (" + code + ")");
        if (CREDENTIALS.matcher(code).matches() || status == 401 || status == 403) {
            String advice = code.contains("Token")
                    ? ": the credentials have expired or are not valid; get new ones and start again"
                    : ": no permission to read it, or wrong credentials; check who you are and what you may read";
            return forGood(Kind.DENIED, said + advice);
        }
        return switch (status) {
            case 404, 410 -> forGood(Kind.MISSING, said + ": there is no such object; check the spelling");
            case 412 -> forGood(Kind.CHANGED, said + ": the object was replaced while it was read");
            case 416 -> forGood(Kind.RANGE, said + ": the range lies behind the end of the object");
            case 429, 503 -> new Refusal(Kind.UNAVAILABLE, true, true, retryAfter, said + ", too many requests");
            case 408, 500, 502, 504 -> new Refusal(Kind.UNAVAILABLE, true, false, retryAfter, said);
            default -> forGood(Kind.UNAVAILABLE, said);
        };
    }

    /// The message.
    String reason() {
        return String.valueOf(getMessage());
    }

    Kind kind() {
        return kind;
    }

    boolean isRetried() {
        return retried;
    }

    boolean isThrottling() {
        return throttling;
    }

    Duration retryAfter() {
        return retryAfter;
    }
}
