package org.jspdl.data.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.auth.oauth2.GoogleCredentials;
import com.google.cloud.WriteChannel;
import com.google.cloud.storage.Blob;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Storage.BlobListOption;
import com.google.cloud.storage.StorageOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Google's own client and ours on one server: it speaks JSON, we XML, and both see the same objects. The server is
/// written from Google's documentation; what Google's client takes from it and gives to it is a second opinion of how
/// that is to be read.
class GoogleClientTest {
    private static final List<String> NAMES =
            List.of("train/a b.bin", "train/deep/er/#1%20+&=?.bin", "train/ü/ñ.bin", "training.bin");

    private final BufferPool pool = BufferPool.create("test", 256 << 20);
    private GcsServer server;
    private com.google.cloud.storage.Storage google;
    private Storage ours;

    @BeforeEach
    void start() throws IOException {
        server = new GcsServer();
        GoogleCredentials account = TestAccount.of(server);
        google = StorageOptions.http()
                .setHost(server.endpoint())
                .setProjectId("p")
                .setCredentials(account)
                .build()
                .getService();
        ours = new GcsSettings(server.endpoint(), new GoogleAuthorizer(() -> TestAccount.of(server)))
                .open(org.jspdl.data.storage.StorageOptions.defaults());
    }

    @AfterEach
    void stop() throws Exception {
        ours.close();
        google.close();
        pool.close();
        server.close();
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    private static byte[] bytes(Lease lease) {
        try (lease) {
            return lease.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    @Test
    void weReadWhatGooglesClientWroteAtOnceOrInPieces() throws IOException {
        byte[] content = bytes(200_000);
        byte[] large = bytes((9 << 20) + 77);
        for (String name : NAMES) {
            google.create(BlobInfo.newBuilder("bucket", name).build(), content);
        }
        try (WriteChannel channel =
                google.writer(BlobInfo.newBuilder("bucket", "large.bin").build())) {
            channel.setChunkSize(1 << 20);
            channel.write(ByteBuffer.wrap(large));
        }

        for (String name : NAMES) {
            try (StoredObject object = ours.object("gs://bucket/" + name)) {
                assertThat(object.size()).isEqualTo(200_000);
                assertThat(bytes(object.readAll(pool, 1 << 20))).isEqualTo(content);
            }
        }
        try (StoredObject object = ours.object("gs://bucket/large.bin")) {
            assertThat(bytes(object.readAll(pool, 16 << 20))).isEqualTo(large);
        }
        assertThat(server.json().requests()).isGreaterThan(NAMES.size());
    }

    @Test
    void googlesClientReadsWhatWeWroteAtOnceOrInParts() throws IOException {
        for (int size : new int[] {0, 1, 200_000, (33 << 20) + 5}) {
            byte[] content = bytes(size);
            for (String name : NAMES) {
                ours.put(Location.of("gs://bucket/" + name), MemorySegment.ofArray(content));

                Blob blob = google.get(BlobId.of("bucket", name));
                assertThat(blob.getSize()).isEqualTo(size);
                assertThat(google.readAllBytes("bucket", name)).isEqualTo(content);
            }
        }
    }

    @Test
    void bothListTheSameNamesAndSizesPageByPage() throws IOException {
        for (int i = 0; i < 1_203; i++) {
            server.objects().put("many/%04d ü+%%".formatted(i), bytes(i % 7));
        }
        NAMES.forEach(name -> server.objects().put(name, bytes(10)));

        for (String folder : List.of("many/", "train/")) {
            TreeMap<String, Long> theirs = new TreeMap<>();
            google.list("bucket", BlobListOption.prefix(folder), BlobListOption.pageSize(500))
                    .iterateAll()
                    .forEach(blob -> theirs.put("gs://bucket/" + blob.getName(), blob.getSize()));
            try (Stream<ListedObject> listed = ours.list("gs://bucket/" + folder)) {
                assertThat(listed.collect(
                                Collectors.toMap(each -> each.location().text(), ListedObject::size)))
                        .isEqualTo(theirs);
            }
        }
    }
}
