package org.jspdl.data.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.exception.ClientAuthenticationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageProvider;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/// Names, environment and tokens; no server.
class AzureSettingsTest {
    private static final String SECRET = "c2VjcmV0IGtleQ==";
    private static final TokenSource NONE = address -> {
        throw new AssertionError("no token is wanted for " + address);
    };

    private static String address(AzureSettings settings, String location) throws StorageException {
        HttpAddress address = settings.at(AzureAddress.parse(Location.of(location)), "");
        return address.host() + address.target();
    }

    private static Map<String, String> headers(AzureSettings settings, TokenSource tokens, String location)
            throws IOException {
        Map<String, String> headers = new HashMap<>();
        new AzureAuthorizer(settings, tokens)
                .authorize("GET", settings.at(AzureAddress.parse(Location.of(location)), ""), headers);
        return headers;
    }

    @Test
    void accountsContainersAndBlobsAreFoundInBothSpellings() throws StorageException {
        AzureSettings settings = AzureSettings.of(Map.of());

        assertThat(address(settings, "az://acc/box/a b+%ü.bin"))
                .isEqualTo("https://acc.blob.core.windows.net/box/a%20b%2B%25%C3%BC.bin");
        assertThat(address(settings, "abfss://box@acc.dfs.core.windows.net/a/b"))
                .isEqualTo("https://acc.blob.core.windows.net/box/a/b");
        assertThat(address(settings, "abfs://box@acc.dfs.core.chinacloudapi.cn/a"))
                .isEqualTo("https://acc.blob.core.chinacloudapi.cn/box/a");
        assertThat(address(settings, "abfss://box@acc.z12.blob.storage.azure.net/a"))
                .isEqualTo("https://acc.z12.blob.storage.azure.net/box/a");
        assertThat(address(settings, "az://acc/$web/index.html"))
                .isEqualTo("https://acc.blob.core.windows.net/$web/index.html");
        assertThat(AzureAddress.parse(Location.of("abfss://box@acc.dfs.core.windows.net/"))
                        .location("x"))
                .isEqualTo(Location.of("abfss://box@acc.dfs.core.windows.net/x"));
    }

    @Test
    void hostsThatAreNotAzuresAndNamesThatAreNoneAreRefused() {
        for (String wrong : new String[] {
            "az://evil.example.com/box/a",
            "az://acc",
            "az:///box/a",
            "az://Acc/box/a",
            "az://acc/b/a",
            "abfss://box@acc.dfs.evil.example.com/a",
            "abfss://box@acc.dfs.core.windows.net.evil.com/a",
            "abfss://box@acc.dfs.core.windows.net:1/a",
            "abfss://acc.dfs.core.windows.net/a"
        }) {
            assertThatThrownBy(() -> AzureAddress.parse(Location.of(wrong)))
                    .as(wrong)
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Kind.UNSUPPORTED))
                    .hasMessageContaining("names no container");
        }
    }

    @Test
    void connectionStringsSayAccountServerAndSecret() throws IOException {
        AzureSettings key = AzureSettings.ofConnection(
                "DefaultEndpointsProtocol=https;AccountName=acc;AccountKey=" + SECRET
                        + ";EndpointSuffix=core.usgovcloudapi.net",
                false);
        AzureSettings sas = AzureSettings.of(Map.of(
                "AZURE_STORAGE_CONNECTION_STRING",
                "BlobEndpoint=https://acc.blob.core.windows.net/;SharedAccessSignature=?sv=2&sig=a%2Bb"));
        AzureSettings emulator = AzureSettings.ofConnection("UseDevelopmentStorage=true", false);

        assertThat(address(key, "az://acc/box/a")).isEqualTo("https://acc.blob.core.usgovcloudapi.net/box/a");
        assertThat(headers(key, NONE, "az://acc/box/a").get("Authorization")).startsWith("SharedKey acc:");
        assertThat(address(sas, "az://acc/box/a")).isEqualTo("https://acc.blob.core.windows.net/box/a?sv=2&sig=a%2Bb");
        assertThat(headers(sas, NONE, "az://acc/box/a")).containsOnlyKeys("x-ms-version");
        assertThat(address(emulator, "az://devstoreaccount1/box/a"))
                .isEqualTo("http://127.0.0.1:10000/devstoreaccount1/box/a");
        assertThat(key.toString() + sas + emulator).doesNotContain(SECRET).doesNotContain("sig=");
    }

    @Test
    void whatIsForOneAccountIsNotSentToAnother() throws IOException {
        AzureSettings key = AzureSettings.of(Map.of("AZURE_STORAGE_ACCOUNT", "acc", "AZURE_STORAGE_KEY", SECRET));
        AzureSettings sas =
                AzureSettings.of(Map.of("AZURE_STORAGE_ACCOUNT", "acc", "AZURE_STORAGE_SAS_TOKEN", "?sv=2&sig=x"));

        for (AzureSettings each : new AzureSettings[] {key, sas}) {
            assertThat(headers(each, _ -> "token", "az://other/box/a")).containsEntry("Authorization", "Bearer token");
            assertThat(address(each, "az://other/box/a")).isEqualTo("https://other.blob.core.windows.net/box/a");
            assertThat(headers(each, NONE, "az://acc/box/a").get("Authorization"))
                    .isNotEqualTo("Bearer token");
        }
    }

    @Test
    void settingsThatMakeNoSenseAreNamedWithoutTheSecret() {
        assertThatThrownBy(() -> AzureSettings.of(Map.of("AZURE_STORAGE_KEY", SECRET)))
                .hasMessageContaining("AZURE_STORAGE_ACCOUNT does not say");
        assertThatThrownBy(() ->
                        AzureSettings.of(Map.of("AZURE_STORAGE_ACCOUNT", "acc", "AZURE_STORAGE_KEY", "not!base64")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("AZURE_STORAGE_KEY is no key")
                .hasMessageNotContaining("not!base64");
        assertThatThrownBy(() -> AzureSettings.ofConnection("nonsense", false))
                .hasMessageContaining("AZURE_STORAGE_CONNECTION_STRING")
                .hasMessageNotContaining("nonsense");
        assertThatThrownBy(() -> AzureSettings.ofConnection("SharedAccessSignature=sig", false))
                .hasMessageContaining("neither an AccountName");
    }

    @Test
    void tokensAreSentOverEncryptedConnectionsOnly() {
        AzureSettings clear =
                new AzureSettings("acc", "http://127.0.0.1:1/acc", "core.windows.net", Optional.empty(), "", false);
        assertThatThrownBy(() -> headers(clear, NONE, "az://acc/box/a"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("not sent without encryption");
    }

    private record Credential(Supplier<AccessToken> tokens) implements TokenCredential {
        @Override
        public Mono<AccessToken> getToken(TokenRequestContext request) {
            assertThat(request.getScopes()).containsExactly("https://storage.azure.com/.default");
            return Mono.fromSupplier(tokens);
        }
    }

    @Test
    void tokensAreKeptUntilTheyAreAboutToExpire() throws IOException {
        AtomicInteger given = new AtomicInteger();
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        AtomicInteger minutes = new AtomicInteger();
        Clock clock = new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return start.plus(Duration.ofMinutes(minutes.get()));
            }
        };
        EntraTokens tokens = new EntraTokens(
                new Credential(() -> new AccessToken(
                        "t-" + given.incrementAndGet(),
                        clock.instant().plus(Duration.ofHours(1)).atOffset(ZoneOffset.UTC))),
                clock);
        HttpAddress address = HttpAddress.parse(Location.of("https://acc.blob.core.windows.net/"));

        assertThat(tokens.token(address)).isEqualTo("t-1");
        minutes.set(54);
        assertThat(tokens.token(address)).isEqualTo("t-1");
        minutes.set(56);
        assertThat(tokens.token(address)).isEqualTo("t-2");
    }

    @Test
    void aProcessWithoutAnIdentityIsToldAtOnceAndAServiceInTroubleIsAskedAgain() throws IOException {
        HttpAddress address = HttpAddress.parse(Location.of("https://acc.blob.core.windows.net/"));
        EntraTokens nobody = new EntraTokens(
                new Credential(() -> {
                    throw new ClientAuthenticationException("nobody is logged in\nand so on", null);
                }),
                Clock.systemUTC());
        EntraTokens trouble = new EntraTokens(
                new Credential(() -> {
                    throw new IllegalStateException("no network");
                }),
                Clock.systemUTC());

        assertThatThrownBy(() -> nobody.token(address))
                .isInstanceOf(StorageException.class)
                .hasMessageEndingWith("gives no token for this process: nobody is logged in");
        assertThatThrownBy(() -> trouble.token(address))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(StorageException.class)
                .hasMessageContaining("no network");
    }

    @Test
    void listingsAreReadWithEscapedNamesAndWithoutFolders() throws StorageException {
        String xml = """
                \uFEFF<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="box"><Blobs>
                <Blob><Name>a &amp; b+%20</Name><Properties><Content-Length>7</Content-Length><Etag>0x1</Etag></Properties></Blob>
                <Blob><Name Encoded="true">x%EF%BF%BE+y</Name><Properties><Content-Length>8</Content-Length></Properties></Blob>
                <Blob><Name>dir</Name><Properties><Content-Length>0</Content-Length><ResourceType>directory</ResourceType></Properties></Blob>
                <Blob><Name>old</Name><Properties><Content-Length>0</Content-Length></Properties><Metadata><hdi_isfolder>true</hdi_isfolder></Metadata></Blob>
                </Blobs><NextMarker>more</NextMarker></EnumerationResults>""".strip();

        AzureListingPage page =
                AzureListingPage.parse(Location.of("az://acc/box"), xml.getBytes(StandardCharsets.UTF_8));

        assertThat(page.continuation()).contains("more");
        assertThat(page.entries())
                .containsExactly(
                        new AzureListingPage.Entry("a & b+%20", 7, false, "0x1"),
                        new AzureListingPage.Entry("x\uFFFE+y", 8, false, ""),
                        new AzureListingPage.Entry("dir", 0, true, ""),
                        new AzureListingPage.Entry("old", 0, true, ""));
        for (String other :
                new String[] {"", "<html/>", "<EnumerationResults><Blob><Name>x</Name></Blob></EnumerationResults>"}) {
            assertThatThrownBy(() ->
                            AzureListingPage.parse(Location.of("az://acc/box"), other.getBytes(StandardCharsets.UTF_8)))
                    .hasMessageContaining("no listing of a container");
        }
    }

    @Test
    void theSchemesAreFoundByThoseWhoReadLocations() {
        assertThat(ServiceLoader.load(StorageProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .flatMap(provider -> provider.schemes().stream()))
                .contains("az", "abfs", "abfss");
    }
}
