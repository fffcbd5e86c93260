package org.jspdl.data.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorageSettingTest {
    @TempDir
    Path folder;

    private StorageOptions with(Map<String, String> given) throws IOException {
        return StorageSetting.apply(StorageOptions.defaults(), given, folder);
    }

    @Test
    void whatOptionsSayIsReadAsTheSameOptions() throws IOException {
        StorageOptions unusual = StorageOptions.defaults()
                .readDeadline(Duration.ofMillis(1_500))
                .retries(new StorageOptions.Retries(Duration.ofSeconds(1), Duration.ofHours(1), 0.5))
                .hedging(new StorageOptions.Hedging(0.75, 0))
                .requestsPerHost(3)
                .coalesceGapBytes(1_000)
                .largestRequestBytes(1 << 20);
        StorageOptions read = StorageOptions.defaults();
        StorageOptions defaults = unusual;
        for (StorageSetting setting : StorageSetting.values()) {
            if (!setting.of(unusual).isEmpty()) {
                read = StorageSetting.apply(read, Map.of(setting.key(), setting.of(unusual)), folder);
                defaults = StorageSetting.apply(
                        defaults, Map.of(setting.key(), setting.of(StorageOptions.defaults())), folder);
            }
        }

        assertThat(read).isEqualTo(unusual);
        assertThat(defaults).isEqualTo(StorageOptions.defaults());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "deadline~5s~storage has no setting 'deadline', but read-deadline, retry-pauses,",
                "read-deadline~5~storage read-deadline must be a time such as 500ms, 30s or 5m but was '5'",
                "read-deadline~0s~storage read-deadline: readDeadline must be positive but was PT0S",
                "retry-pauses~1s~storage retry-pauses must be two times such as 100ms..10s but was '1s'",
                "retry-pauses~2s..1s~storage retry-pauses: longestPause must be at least firstPause",
                "retry-budget~NaN~storage retry-budget: retryBudget must be between 0 and 1 but was NaN",
                "hedge-share~some~storage hedge-share must be a number but was 'some'",
                "hedge-quantile~1~storage hedge-quantile: quantile must be at least 0.5 and below 1 but was 1.0",
                "requests-per-host~0~storage requests-per-host: requestsPerHost must be at least 1 but was 0",
                "requests-per-host~1K~storage requests-per-host must be a whole number but was '1K'",
                "largest-request~1~storage largest-request: largestRequestBytes must be at least 65536 but was 1",
                "coalesce-gap~-1~storage coalesce-gap must be a number of bytes such as 64KiB but was '-1'"
            })
    void aSettingThatMakesNoSenseIsNamed(String key, String value, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(Map.of(key, value)))
                .withMessageStartingWith(message);
    }

    @Test
    void headersAreReadForTheServersThatTheyAreFor() throws IOException {
        Files.writeString(folder.resolve("headers"), """
                # who we are
                https://Data.example.com Authorization: Bearer t-1
                https://data.example.com:8443 Authorization: Bearer t-2

                mirror.example.com X-Key:   some words
                http://inside X-Key: plain
                localhost X-Key: here
                """);
        Files.writeString(folder.resolve("netrc"), """
                machine files.example.com login me password "se cret\\"s" # mine
                machine nobody.example.com login me
                macdef init
                machine macro.example.com login me password wrong

                default login anybody password everywhere
                machine
                  late.example.com
                  password p login l
                """);
        RequestHeaders headers = with(Map.of("http-headers", "headers", "netrc", "netrc"))
                .access()
                .headers();

        assertThat(headers.of(true, "data.example.com", 443)).containsEntry("authorization", "Bearer t-1");
        assertThat(headers.of(true, "DATA.example.com", 8443)).containsEntry("Authorization", "Bearer t-2");
        assertThat(headers.of(true, "data.example.com", 8444)).isEmpty();
        assertThat(headers.of(false, "data.example.com", 443)).isEmpty();
        assertThat(headers.of(true, "mirror.example.com", 1)).containsEntry("X-Key", "some words");
        assertThat(headers.of(false, "mirror.example.com", 80))
                .as("in clear text")
                .isEmpty();
        assertThat(headers.of(false, "inside", 80)).containsEntry("X-Key", "plain");
        assertThat(headers.of(false, "localhost", 9)).containsEntry("X-Key", "here");
        assertThat(headers.of(true, "files.example.com", 443))
                .containsEntry("Authorization", "Basic bWU6c2UgY3JldCJz"); // me:se cret"s
        assertThat(headers.of(true, "late.example.com", 443)).containsEntry("Authorization", "Basic bDpw");
        for (String other : new String[] {"nobody.example.com", "macro.example.com", "example.com", "elsewhere"}) {
            assertThat(headers.of(true, other, 443)).as(other).isEmpty();
        }
        assertThat(headers.toString()).contains("data.example.com").doesNotContain("t-1", "Basic", "words");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "https://host Authorization Bearer SECRET~, line 1 must have|in line 1",
                "https://host/path Authorization: SECRET~a server must be a host",
                "https://me@host Authorization: SECRET~a server must be a host",
                "ftp://host Authorization: SECRET~a server must be a host",
                "host:80 Authorization: SECRET~a server must be a host",
                "https://host Host: SECRET~'Host' is no header that can be given",
                "https://host Content-Length: SECRET~'Content-Length' is no header",
                "https://host X(Y): SECRET~'X(Y)' is no header",
                "https://host X-Key: SECRET\u0007x~the value of 'X-Key' must be of printable ASCII characters",
                "https://host X-Key: SECRETü~the value of 'X-Key' must be of printable ASCII characters"
            })
    void aFileOfHeadersThatIsWrongIsRefusedWithoutShowingWhatItHolds(String line, String message) throws IOException {
        Files.writeString(folder.resolve("headers"), line + "\n");

        assertThatThrownBy(() -> with(Map.of("http-headers", "headers")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message.substring(message.indexOf('|') + 1))
                .hasMessageContaining("headers")
                .hasMessageNotContaining("SECRET");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> with(Map.of("netrc", "nowhere")))
                .isInstanceOf(IOException.class)
                .hasMessage(folder.resolve("nowhere") + ": the file does not exist");
    }
}
