package org.jspdl.data.http;

import java.io.IOException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.storage.StorageException.Kind;

/// A response that is not what was asked for.
final class UnexpectedResponseException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final Pattern CODE = Pattern.compile("<Code>(\\w{1,60})</Code>");
    private static final Pattern REGION = Pattern.compile("<Region>([\\w-]{1,60})</Region>");
    private static final Pattern WORD = Pattern.compile("\\w{1,60}");
    private static final Pattern CREDENTIALS =
            Pattern.compile("ExpiredToken|TokenRefreshRequired|InvalidToken|InvalidAccessKeyId|SignatureDoesNotMatch"
                    + "|PublicAccessNotPermitted|InvalidAuthenticationInfo");

    private static final Pattern SLOW_DOWN =
            Pattern.compile("SlowDown|SlowDownRead|SlowDownWrite|RequestLimitExceeded|Throttling|ThrottlingException");

    private final Kind kind;
    private final boolean retryable;
    private final Duration retryAfter;
    private final boolean throttling;

    private UnexpectedResponseException(
            Kind kind, boolean retryable, boolean throttling, Duration retryAfter, String message) {
        super(message);
        this.kind = kind;
        this.retryable = retryable;
        this.throttling = throttling;
        this.retryAfter = retryAfter;
    }

    /// The response was no good, though the server thinks it was. Worth another try.
    static UnexpectedResponseException retryable(String message) {
        return new UnexpectedResponseException(Kind.UNAVAILABLE, true, false, Duration.ZERO, message);
    }

    /// Not worth another try.
    static UnexpectedResponseException permanent(Kind kind, String message) {
        return new UnexpectedResponseException(kind, false, false, Duration.ZERO, message);
    }

    /// What a status other than success means.
    ///
    /// @param body       the beginning of the body, in which S3 and Azure give a code
    /// @param told       the code in a header, where Azure repeats it; empty without one
    /// @param retryAfter what the server asked for
    static UnexpectedResponseException of(int status, String body, String told, Duration retryAfter) {
        Matcher matcher = CODE.matcher(body);
        String code = matcher.find() ? matcher.group(1) : WORD.matcher(told).matches() ? told : "";
        String said = "the server said " + status + (code.isEmpty() ? "" : " (" + code + ")");
        if (code.equals("AuthorizationHeaderMalformed")) { // what S3 says to a signature for another region
            Matcher region = REGION.matcher(body);
            return permanent(
                    Kind.UNSUPPORTED,
                    said + ": the request was signed for another region than the bucket's; set AWS_REGION to "
                            + (region.find() ? region.group(1) : "that of the bucket"));
        }
        if (code.equals("RequestTimeTooSkewed")) {
            return permanent(Kind.DENIED, said + ": the clock of this machine is wrong; set it, and start again");
        }
        if (code.equals("InvalidObjectState")) {
            return permanent(Kind.DENIED, said + ": the object is archived; have the store restore it first");
        }
        if (CREDENTIALS.matcher(code).matches() || status == 401 || status == 403) {
            String advice = code.contains("Token")
                    ? ": the credentials have expired or are not valid; get new ones and start again"
                    : ": no permission, or wrong credentials; check who you are and what you may do";
            return permanent(Kind.DENIED, said + advice);
        }
        if (SLOW_DOWN.matcher(code).matches()) {
            return new UnexpectedResponseException(Kind.UNAVAILABLE, true, true, retryAfter, said);
        }
        if (code.equals("RequestTimeout")) { // 400, for a connection that was too slow
            return retryable(said);
        }
        return switch (status) {
            case 404, 410 ->
                permanent(Kind.MISSING, said + ": there is no such " + missing(code) + "; check the spelling");
            case 412 -> permanent(Kind.CHANGED, said + ": the object was replaced while it was read");
            case 416 -> permanent(Kind.RANGE, said + ": the range lies behind the end of the object");
            case 429, 503 ->
                new UnexpectedResponseException(Kind.UNAVAILABLE, true, true, retryAfter, said + ", too many requests");
            case 405, 501 -> permanent(Kind.UNSUPPORTED, said + ": it does not answer such requests");
            case 408, 500, 502, 504 -> new UnexpectedResponseException(Kind.UNAVAILABLE, true, false, retryAfter, said);
            default -> permanent(Kind.UNAVAILABLE, said);
        };
    }

    private static String missing(String code) {
        return switch (code) {
            case "NoSuchBucket" -> "bucket";
            case "ContainerNotFound" -> "container";
            case "ResourceNotFound" -> "container, or it is not public";
            default -> "object";
        };
    }

    /// The message.
    String reason() {
        return String.valueOf(getMessage());
    }

    Kind kind() {
        return kind;
    }

    boolean isRetryable() {
        return retryable;
    }

    boolean isThrottling() {
        return throttling;
    }

    Duration retryAfter() {
        return retryAfter;
    }
}
