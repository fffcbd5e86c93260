package org.jspdl.data.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspdl.data.bucket.BucketAddress;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.memory.BufferPool;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.profiles.ProfileFile;

/// Against our own server, for what a real one does not do on demand.
class S3StorageTest {
    private static final StorageOptions QUICK = StorageOptions.defaults().readDeadline(Duration.ofMinutes(2));

    @TempDir
    Path folder;

    private ObjectServer server;

    @BeforeEach
    void start() throws IOException {
        server = ObjectServer.start(Faults.none());
        for (int i = 0; i < 2_500; i++) {
            server.put("/bucket/many/%04d".formatted(i), ObjectContent.seeded(i, 10 + i));
        }
        server.put("/bucket/many/", ObjectContent.of(new byte[0]));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private Storage storage(AwsCredentialsProvider credentials) {
        return new S3Settings(Optional.of("http://localhost:" + server.port()), "eu-west-1", Optional.of(credentials))
                .open(QUICK);
    }

    private static AwsCredentialsProvider session(String token) {
        return StaticCredentialsProvider.create(AwsSessionCredentials.create("id", "secret", token));
    }

    @Test
    void aLongListingIsReadPageByPageAsItIsConsumed() throws IOException {
        try (Storage storage = storage(session("good"))) {
            try (Stream<ListedObject> all = storage.list("s3://bucket/many")) {
                assertThat(all.map(each -> new ListedObject(each.location(), each.size())))
                        .hasSize(2_500)
                        .first()
                        .isEqualTo(new ListedObject(Location.of("s3://bucket/many/0000"), 10));
            }
            assertThat(server.counts().requests()).isEqualTo(3);
            try (Stream<ListedObject> few = storage.list("s3://bucket/many/")) {
                assertThat(few.limit(5)).hasSize(5);
            }
            assertThat(server.counts().requests()).isEqualTo(4);
        }
    }

    @Test
    void expiredCredentialsAreOneClearError() throws IOException {
        server.requireCredentials("id", "old");
        try (Storage storage = storage(session("old"));
                Storage renewed = storage(session("new"));
                BufferPool pool = BufferPool.create("test", 1 << 20)) {
            assertThatThrownBy(() -> storage.object("s3://bucket/many/0001").readAll(pool, 100))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Kind.DENIED))
                    .hasMessage(
                            "s3://bucket/many/0001: the server said 403 (ExpiredToken): the credentials have expired or"
                                    + " are not valid; get new ones and start again");
            assertThat(server.counts().requests()).isEqualTo(1);
            renewed.object("s3://bucket/many/0001").readAll(pool, 100).close();
        }
    }

    @Test
    void missingCredentialsAreOneClearError() throws IOException {
        AwsCredentialsProvider none = new AwsCredentialsProvider() {
            @Override
            public AwsCredentials resolveCredentials() {
                throw SdkClientException.create("nothing anywhere");
            }
        };
        try (Storage storage = storage(none);
                BufferPool pool = BufferPool.create("test", 1 << 20)) {
            assertThatThrownBy(() -> storage.object("s3://bucket/many/0001").readAll(pool, 100))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("no AWS credentials found")
                    .hasMessageContaining("AWS_SKIP_SIGNATURE");
            assertThat(server.counts().requests()).isZero();
        }
    }

    /// As the SDK reads it, in a chain like the usual one.
    private AwsCredentialsProvider profile(String name, String config) {
        ProfileFile file = ProfileFile.builder()
                .content(new ByteArrayInputStream(config.getBytes(StandardCharsets.UTF_8)))
                .type(ProfileFile.Type.CONFIGURATION)
                .build();
        return AwsCredentialsProviderChain.of(ProfileCredentialsProvider.builder()
                .profileFile(() -> file)
                .profileName(name)
                .build());
    }

    @Test
    void aProfileOfSingleSignOnIsNamedWithWhatToDo() throws IOException {
        String config = """
                [profile base]
                aws_access_key_id=a
                aws_secret_access_key=b
                [profile train]
                sso_start_url=https://x.example/start
                sso_region=eu-west-1
                sso_account_id=1
                sso_role_name=r
                """;
        try (Storage storage = storage(profile("train", config));
                Storage plain = storage(profile("base", config));
                BufferPool pool = BufferPool.create("test", 1 << 20)) {
            assertThatThrownBy(() -> storage.object("s3://bucket/many/0001").readAll(pool, 100))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Kind.DENIED))
                    .hasMessageContaining("the AWS profile 'train' signs in by single sign-on")
                    .hasMessageContaining("aws configure export-credentials --profile train --format env")
                    .hasMessageContaining("credential_process");
            assertThat(server.counts().requests()).isZero();
            plain.object("s3://bucket/many/0001").readAll(pool, 100).close();
        }
    }

    /// The module of the SDK that would do it is there in tests, because S3Proxy brings it; so its message is
    /// given.
    @Test
    void aProfileThatAssumesARoleIsNamedToo() {
        assertThat(MissingCredentials.reason(
                        "[ProfileCredentialsProvider(): To use assumed roles in the 'deep' profile,"
                                + " the 'sts' service module must be on the class path.]"))
                .contains("the AWS profile 'deep' assumes a role", "--profile deep");
    }

    @Test
    void credentialsOfAnotherProgramAreTaken() throws IOException {
        server.requireCredentials("from-the-program", "old");
        String printed = "{\"Version\":1,\"AccessKeyId\":\"from-the-program\",\"SecretAccessKey\":\"s\"}";
        Path program = Files.writeString(folder.resolve("print"), printed);
        try (Storage storage = storage(profile("p", "[profile p]\ncredential_process = cat " + program + "\n"));
                BufferPool pool = BufferPool.create("test", 1 << 20)) {
            storage.object("s3://bucket/many/0001").readAll(pool, 100).close();
        }
    }

    private static HttpAddress at(S3Settings settings, String location) throws StorageException {
        return settings.at(BucketAddress.parse(Location.of(location)), "");
    }

    @Test
    void bucketsOfAwsHaveHostsOfTheirOwnWhereACertificateFits() throws IOException {
        S3Settings aws = new S3Settings(Optional.empty(), "eu-west-1", Optional.empty());

        assertThat(at(aws, "s3://my-data/a b.jpg").host()).hasToString("https://my-data.s3.eu-west-1.amazonaws.com");
        assertThat(at(aws, "s3://my-data/a b.jpg").target()).isEqualTo("/a%20b.jpg");
        assertThat(at(aws, "s3://my.data/x").host()).hasToString("https://s3.eu-west-1.amazonaws.com");
        assertThat(at(aws, "s3://my.data/x").target()).isEqualTo("/my.data/x");
    }

    @Test
    void theEndpointOfAProfileIsThatOfItsServicesOrElseItsOwn() {
        ProfileFile file = ProfileFile.builder()
                .type(ProfileFile.Type.CONFIGURATION)
                .content(new ByteArrayInputStream("""
                        [profile plain]
                        region = eu-west-1
                        [profile minio]
                        endpoint_url = https://minio:9000
                        [profile both]
                        endpoint_url = https://minio:9000
                        services = local
                        [profile others]
                        endpoint_url = https://minio:9000
                        services = elsewhere
                        [services local]
                        dynamodb =
                          endpoint_url = https://dynamo:8000
                        s3 =
                          endpoint_url = https://ceph:7480
                        [services elsewhere]
                        sts =
                          endpoint_url = https://sts:1
                        """.getBytes(StandardCharsets.UTF_8)))
                .build();

        assertThat(S3Settings.endpoint(file, "plain")).isEmpty();
        assertThat(S3Settings.endpoint(file, "nobody")).isEmpty();
        assertThat(S3Settings.endpoint(file, "minio")).contains("https://minio:9000");
        assertThat(S3Settings.endpoint(file, "both")).contains("https://ceph:7480");
        assertThat(S3Settings.endpoint(file, "others")).contains("https://minio:9000");
    }
}
