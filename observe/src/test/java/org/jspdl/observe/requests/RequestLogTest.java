package org.jspdl.observe.requests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspdl.stats.RemoteRequest;
import org.junit.jupiter.api.Test;

class RequestLogTest {
    private static final long MS = 1_000_000;

    private final RequestLog log = RequestLog.create();

    /// @param start in milliseconds, as `end`
    private static RemoteRequest request(String location, long thread, long start, long end) {
        return new RemoteRequest("GET", location, thread, start * MS, end * MS, 1, Duration.ZERO, Duration.ZERO, "");
    }

    @Test
    void anItemsRequestIsTheOneOfItsThreadThatTookMostOfItsTime() {
        log.ended(request("s3://b/a", 7, 0, 40));
        log.ended(request("s3://b/b", 7, 40, 90));
        log.ended(request("s3://b/c", 8, 0, 100));

        assertThat(log.ofItem(7, "", 10 * MS, 100 * MS))
                .map(RemoteRequest::location)
                .contains("s3://b/b");
        assertThat(log.ofItem(7, "", 10 * MS, 45 * MS))
                .map(RemoteRequest::location)
                .contains("s3://b/a");
        assertThat(log.ofItem(9, "", 0, 100 * MS)).isEmpty();
    }

    @Test
    void aRequestOfAnotherThreadForWhatTheItemNamesIsItsRequest() {
        log.ended(request("s3://b/a.jpg", 8, 0, 100));

        assertThat(log.ofItem(7, "LabeledFile[s3://b/a.jpg, 3]", 0, 100 * MS)).isPresent();
        assertThat(log.ofItem(7, "LabeledFile[s3://b/b.jpg, 3]", 0, 100 * MS)).isEmpty();
    }

    @Test
    void requestsBeforeAndAfterAnItemAreNotItsRequests() {
        log.ended(request("s3://b/a", 7, 0, 40));
        log.ended(request("s3://b/b", 7, 90, 100));

        assertThat(log.ofItem(7, "", 40 * MS, 90 * MS)).isEmpty();
        assertThat(log.longest(40 * MS, 90 * MS)).isEmpty();
    }

    @Test
    void theOldestRequestsAreForgotten() {
        for (long i = 0; i < 10_000; i++) {
            log.ended(request("s3://b/" + i, 7, 10 * i, 10 * i + 5));
        }

        assertThat(log.longest(0, 100 * MS)).isEmpty();
        assertThat(log.longest(99_990 * MS, 100_000 * MS))
                .map(RemoteRequest::location)
                .contains("s3://b/9999");
    }
}
