package org.jspdl.data.s3;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Why there are no credentials, and what to do.
final class MissingCredentials {
    /// What the SDK says of profiles for which it needs modules that are not here.
    private static final Pattern PROFILE = Pattern.compile("'([^']{1,200})' profile, the '([a-z]+)' service module");

    private MissingCredentials() {}

    /// The reason for a person.
    ///
    /// @param message what the SDK says
    static String reason(String message) {
        Matcher profile = PROFILE.matcher(message);
        if (!profile.find()) {
            return "no AWS credentials found in system properties, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, ~/.aws or"
                    + " this machine's role. Set them, or AWS_SKIP_SIGNATURE=true for public buckets.";
        }
        String way = switch (profile.group(2)) {
            case "sso", "ssooidc" -> "signs in by single sign-on";
            case "sts" -> "assumes a role";
            default -> "signs in by '" + profile.group(2) + "'";
        };
        String export = "aws configure export-credentials --profile " + profile.group(1);
        return "the AWS profile '" + profile.group(1) + "' " + way + ", which is not supported here. Set what '"
                + export
                + " --format env' prints, or make '" + export
                + " --format process' the credential_process of another profile, and name that by AWS_PROFILE;"
                + " such credentials are renewed.";
    }
}
