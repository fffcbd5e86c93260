package org.jspdl.data.s3;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.http.Authorizer;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.files.InputFile;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.core.exception.SdkClientException;

/// Temporary credentials for a role, which the security token service gives for the token of a cluster or a build
/// service: `AWS_WEB_IDENTITY_TOKEN_FILE` and `AWS_ROLE_ARN`, as Kubernetes sets them.
///
/// Asked for when first needed, and again when they have five minutes left; the file is read each time, because tokens
/// are renewed in place. Thread-safe.
final class WebIdentity implements AwsCredentialsProvider {
    private static final int MOST_BYTES = 1 << 20;
    private static final Duration MARGIN = Duration.ofMinutes(5);
    private static final StorageOptions ASKING = StorageOptions.defaults().readDeadline(Duration.ofSeconds(15));

    private final Path tokenFile;
    private final String role;
    private final String session;
    private final String endpoint;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable AwsCredentials current;
    private Instant renewAt = Instant.MIN;

    private WebIdentity(Path tokenFile, String role, String session, String endpoint, Clock clock) {
        this.tokenFile = tokenFile;
        this.role = role;
        this.session = session;
        this.endpoint = endpoint;
        this.clock = clock;
    }

    /// What the environment asks for; empty if it names no token or no role.
    static Optional<AwsCredentialsProvider> of(Map<String, String> environment, String region, Clock clock) {
        String file = environment.getOrDefault("AWS_WEB_IDENTITY_TOKEN_FILE", "");
        String role = environment.getOrDefault("AWS_ROLE_ARN", "");
        return file.isBlank() || role.isBlank()
                ? Optional.empty()
                : Optional.of(new WebIdentity(
                        Path.of(file),
                        role,
                        environment.getOrDefault("AWS_ROLE_SESSION_NAME", "jspdl"),
                        environment.getOrDefault("AWS_ENDPOINT_URL_STS", "https://sts." + region + ".amazonaws.com"),
                        clock));
    }

    @Override
    public AwsCredentials resolveCredentials() {
        lock.lock();
        try {
            AwsCredentials known = current;
            if (known == null || !clock.instant().isBefore(renewAt)) {
                known = asked();
                current = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private AwsCredentials asked() {
        try (RangeClient client = new RangeClient(ASKING, Authorizer.anonymous())) {
            String token = InputFile.text(tokenFile, MOST_BYTES).strip();
            String query =
                    "/?Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=" + HttpAddress.escape(role, "")
                            + "&RoleSessionName=" + HttpAddress.escape(session, "") + "&WebIdentityToken="
                            + HttpAddress.escape(token, "-._~");
            String answer = new String(
                    client.text(Location.of(endpoint), HttpAddress.parse(Location.of(endpoint + query))),
                    StandardCharsets.UTF_8);
            AwsCredentials credentials = AwsSessionCredentials.create(
                    element(answer, "AccessKeyId"),
                    element(answer, "SecretAccessKey"),
                    element(answer, "SessionToken"));
            renewAt = Instant.parse(element(answer, "Expiration")).minus(MARGIN);
            return credentials;
        } catch (IOException | DateTimeParseException failure) {
            throw SdkClientException.create(
                    "no credentials for " + role + " by the token in " + tokenFile + ": " + failure.getMessage(),
                    failure);
        }
    }

    private static String element(String xml, String name) throws IOException {
        Matcher matcher = Pattern.compile("<" + name + ">\\s*([^<]{1,8192}?)\\s*</" + name + ">")
                .matcher(xml);
        if (!matcher.find()) {
            throw new IOException("the answer of the token service has no " + name);
        }
        return matcher.group(1);
    }
}
