package org.jspdl.data.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.core.exception.SdkClientException;

class WebIdentityTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path folder;

    private final List<URI> asked = new ArrayList<>();
    private final AtomicReference<Instant> time = new AtomicReference<>(NOW);
    private HttpServer service;

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            try (exchange) {
                asked.add(exchange.getRequestURI());
                boolean known = exchange.getRequestURI().getQuery().contains("WebIdentityToken=good/+=");
                String answer = known
                        ? "<AssumeRoleWithWebIdentityResponse><Credentials><AccessKeyId>id" + asked.size()
                                + "</AccessKeyId>\n<SecretAccessKey>s/+</SecretAccessKey><SessionToken>t==</SessionToken>"
                                + "<Expiration>" + time.get().plusSeconds(3600)
                                + "</Expiration></Credentials></AssumeRoleWithWebIdentityResponse>"
                        : "<ErrorResponse><Error><Code>InvalidIdentityToken</Code></Error></ErrorResponse>";
                byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(known ? 200 : 400, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        service.start();
    }

    @AfterEach
    void stop() {
        service.stop(0);
    }

    private AwsCredentialsProvider identity(String token) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), token);
        InstantSource clock = time::get;
        return WebIdentity.of(
                        Map.of(
                                "AWS_WEB_IDENTITY_TOKEN_FILE",
                                file.toString(),
                                "AWS_ROLE_ARN",
                                "arn:aws:iam::1:role/reader",
                                "AWS_ENDPOINT_URL_STS",
                                "http://localhost:" + service.getAddress().getPort()),
                        "eu-west-1",
                        clock.withZone(ZoneOffset.UTC))
                .orElseThrow();
    }

    @Test
    void aTokenIsExchangedForCredentialsAndAgainBeforeTheyExpire() throws IOException {
        AwsCredentialsProvider identity = identity("good/+=\n");

        assertThat(identity.resolveCredentials()).isEqualTo(AwsSessionCredentials.create("id1", "s/+", "t=="));
        assertThat(asked.getFirst().getQuery())
                .contains("Action=AssumeRoleWithWebIdentity", "RoleArn=arn:aws:iam::1:role/reader");
        time.set(NOW.plusSeconds(3_200));
        assertThat(identity.resolveCredentials().accessKeyId()).isEqualTo("id1");
        time.set(NOW.plusSeconds(3_301));
        assertThat(identity.resolveCredentials().accessKeyId()).isEqualTo("id2");
    }

    @Test
    void aTokenThatIsRefusedIsAnErrorThatDoesNotShowIt() throws IOException {
        AwsCredentialsProvider identity = identity("expired-secret");

        assertThatThrownBy(identity::resolveCredentials)
                .isInstanceOf(SdkClientException.class)
                .hasMessageContaining("arn:aws:iam::1:role/reader")
                .hasMessageContaining("InvalidIdentityToken")
                .hasMessageNotContaining("expired-secret");
    }

    @Test
    void withoutATokenThereIsNoIdentity() {
        assertThat(WebIdentity.of(Map.of("AWS_ROLE_ARN", "arn"), "eu-west-1", Clock.systemUTC()))
                .isEmpty();
    }
}
