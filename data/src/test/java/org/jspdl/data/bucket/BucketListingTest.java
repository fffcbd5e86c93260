package org.jspdl.data.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspdl.data.http.Authorizer;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Listings that a server of this test gives page by page.
class BucketListingTest {
    private static final int PAGES = 1_200;
    private static final List<String> NAMES =
            List.of("train/", "train/a b+c%20.jpg", "train//x.jpg", "train/../y.jpg", "train/ü/", "train/ü/ñ.jpg");

    private HttpServer server;
    private final List<String> asked = new ArrayList<>();
    /// From what a request asks to go on with to what the answer says of that.
    private volatile UnaryOperator<String> next = token -> token;
    /// From the page that is asked for to the one that is answered.
    private volatile IntUnaryOperator answered = page -> page;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/bucket/", exchange -> {
            String query = exchange.getRequestURI().getRawQuery();
            int page = 0;
            for (String pair : query.split("&")) {
                if (pair.startsWith("continuation-token=")) {
                    String token = URLDecoder.decode(pair.substring(pair.indexOf('=') + 1), StandardCharsets.UTF_8);
                    page = Integer.parseInt(token.substring("to/+ken ".length()));
                }
            }
            asked.add(query);
            int content = answered.applyAsInt(page);
            StringBuilder xml = new StringBuilder("<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>")
                    .append(page + 1 < PAGES)
                    .append("</IsTruncated>");
            if (page + 1 < PAGES) {
                xml.append("<NextContinuationToken>")
                        .append(next.apply("to/+ken " + (page + 1)))
                        .append("</NextContinuationToken>");
            }
            for (String name : content < 0
                    ? List.of("train/page/0", "secret/key")
                    : content == 0 ? NAMES : List.of("train/page/" + content)) {
                xml.append("<Contents><Key>")
                        .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
                        .append("</Key><Size>7</Size></Contents>");
            }
            byte[] body = xml.append("</ListBucketResult>").toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Storage storage() {
        String endpoint = "http://localhost:" + server.getAddress().getPort();
        return new BucketStorage(
                StorageOptions.defaults(), (bucket, query) -> bucket.below(endpoint, query), Authorizer.anonymous());
    }

    @Test
    void moreThanAThousandPagesAreReadAndKeysAreWhatTheyAreWhateverTheyHold() throws IOException {
        try (Storage storage = storage();
                Stream<ListedObject> objects = storage.list("s3://bucket/train")) {
            List<String> keys = objects.map(each -> each.location().text().substring("s3://bucket/".length()))
                    .toList();

            // what ends with a slash only marks a folder
            assertThat(keys.subList(0, 4))
                    .containsExactly("train/a b+c%20.jpg", "train//x.jpg", "train/../y.jpg", "train/ü/ñ.jpg");
            assertThat(keys).hasSize(PAGES + 3).endsWith("train/page/" + (PAGES - 1));
            assertThat(asked).hasSize(PAGES).allMatch(query -> query.contains("prefix=train%2F"));
        }
    }

    @Test
    void aListingThatGoesOnWhereItWasIsRefused() throws IOException {
        next = _ -> "to/+ken 1";
        try (Storage storage = storage();
                Stream<ListedObject> objects = storage.list("s3://bucket/train")) {
            assertThatThrownBy(objects::toList)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("goes on where it was");
        }
    }

    private void assertRefused(String message) throws IOException {
        try (Storage storage = storage();
                Stream<ListedObject> objects = storage.list("s3://bucket/train")) {
            assertThatThrownBy(objects::toList)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(message);
        }
    }

    @Test
    void aListingThatGoesInACircleIsRefused() throws IOException {
        next = token -> token.equals("to/+ken 7") ? "to/+ken 3" : token;
        assertRefused("goes on where it was");
    }

    /// As of a proxy that looks at the path alone, before a server whose tokens are new each time.
    @Test
    void aPageThatIsAnsweredAgainIsRefused() throws IOException {
        answered = page -> page == 5 ? 4 : page;
        assertRefused("goes on where it was");
    }

    @Test
    void aKeyThatDoesNotLieInTheFolderIsRefused() throws IOException {
        answered = page -> page == 3 ? -1 : page;
        assertRefused("the listing has 'secret/key', which is not in this folder");
    }

    @Test
    void keysStandInAddressesAsTheyAre() throws IOException {
        try (Storage storage = storage()) {
            assertThat(new BucketAddress("bucket", "a//b/../c d+e%f/ü?#.jpg").path())
                    .isEqualTo("/a//b/../c%20d%2Be%25f/%C3%BC%3F%23.jpg");
            assertThat(storage.options()).isNotNull();
        }
    }
}
