package org.jspdl.data.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.s3.S3ProxyServer.ID;
import static org.jspdl.data.s3.S3ProxyServer.SECRET;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.http.ObjectUpdate;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.image.ImageLoaderOptions;
import org.jspdl.data.image.ImageSample;
import org.jspdl.data.image.ImageSource;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.ObjectVersion;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.ReadException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Against S3Proxy, a server that others wrote, in a process of its own; it checks every signature.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3ProxyTest {
    private static final List<String> KEYS =
            List.of("train/a b.bin", "train/deep/er/#1%20+&=.bin", "train/ü/ñ.bin", "training.bin");

    private final byte[] content = new byte[200_000];
    private S3ProxyServer server;

    @BeforeAll
    @Timeout(300)
    void start(@TempDir Path folder) throws Exception {
        new Random(3).nextBytes(content);
        server = S3ProxyServer.start(folder);
        server.makeBucket();
        try (Storage storage = storage()) {
            for (String key : KEYS) {
                storage.put(Location.of("s3://bucket/" + key), MemorySegment.ofArray(content));
            }
        }
    }

    @AfterAll
    void stop() throws InterruptedException {
        server.stop();
    }

    private Storage storage() {
        return server.settings().open(StorageOptions.defaults());
    }

    private static byte[] bytes(Lease lease) {
        try (lease) {
            return lease.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static void assertFails(Callable<?> call, Kind kind, String text) {
        assertThatThrownBy(call::call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind))
                .hasMessageContaining(text)
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void readsWholeObjectsAndRangesWhateverTheirKeys() throws IOException {
        try (Storage storage = storage();
                BufferPool pool = BufferPool.create("test", 16 << 20)) {
            for (String key : KEYS) {
                StoredObject object = storage.object("s3://bucket/" + key);
                List<Lease> two = object.read(List.of(new ByteRange(150_000, 7), new ByteRange(10, 100)), pool);

                assertThat(bytes(object.readAll(pool, 1 << 20))).isEqualTo(content);
                assertThat(bytes(two.get(0))).isEqualTo(java.util.Arrays.copyOfRange(content, 150_000, 150_007));
                assertThat(bytes(two.get(1))).isEqualTo(java.util.Arrays.copyOfRange(content, 10, 110));
                assertThat(object.size()).isEqualTo(200_000);
                assertThat(storage.object("s3://bucket/" + key).version()).isEqualTo(object.version());
            }
        }
    }

    @Test
    void listsWhatIsBelowAFolder() throws IOException {
        try (Storage storage = storage();
                Stream<ListedObject> train = storage.list("s3://bucket/train");
                Stream<ListedObject> all = storage.list("s3://bucket")) {
            assertThat(train.map(each -> new ListedObject(each.location(), each.size())))
                    .containsExactlyInAnyOrderElementsOf(KEYS.subList(0, 3).stream()
                            .map(key -> new ListedObject(Location.of("s3://bucket/" + key), 200_000))
                            .toList());
            assertThat(new ArrayList<>(all.toList())).hasSize(4);
        }
    }

    @Test
    @Tag("slow")
    void writesObjectsOfAnySizeAndReplacesThem() throws IOException {
        Random random = new Random(8);
        try (Storage storage = storage();
                BufferPool pool = BufferPool.create("test", 256 << 20)) {
            for (int size : new int[] {0, 1, 16 << 20, (16 << 20) + 1, (33 << 20) + 77}) {
                byte[] written = new byte[size];
                random.nextBytes(written);
                Location location = Location.of("s3://bucket/written/one+two &.bin");

                storage.put(location, MemorySegment.ofArray(written));

                StoredObject object = storage.object(location);
                assertThat(object.size()).isEqualTo(size);
                if (size > 0) {
                    assertThat(bytes(object.readAll(pool, 64 << 20))).isEqualTo(written);
                }
            }
            assertThat(server.uploads()).doesNotContain("broken-line.bin");
        }
    }

    @Test
    void deletesObjectsAndIsContentWhereThereIsNone() throws IOException {
        try (Storage storage = storage()) {
            Location location = Location.of("s3://bucket/deleted/one+two &.bin");
            storage.put(location, MemorySegment.ofArray(new byte[3]));
            storage.put(Location.of("s3://bucket/deleted/other.bin"), MemorySegment.ofArray(new byte[3]));

            storage.delete(location);
            storage.delete(location);

            try (Stream<ListedObject> left = storage.list("s3://bucket/deleted")) {
                assertThat(left)
                        .extracting(each -> each.location().text())
                        .containsExactly("s3://bucket/deleted/other.bin");
            }
            storage.delete(Location.of("s3://bucket/deleted/other.bin"));
            assertFails(
                    () -> {
                        storage.delete(Location.of("s3://bucket"));
                        return true;
                    },
                    Kind.UNSUPPORTED,
                    "names a bucket");
        }
    }

    @Test
    void partsThatAKilledProcessLeftAreDeletedByTheNextUploadOfTheObject() throws IOException {
        try (RangeClient client = new RangeClient(StorageOptions.defaults(), server.signer());
                Storage storage = storage()) {
            for (String key : List.of("left.bin", "left.bin.of-another")) {
                Location begun = Location.of(server.endpoint() + "/bucket/" + key + "?uploads=");
                client.update(begun, HttpAddress.parse(begun), ObjectUpdate.of("POST"), Duration.ofSeconds(10));
            }
            assertThat(server.uploads()).contains("<Key>left.bin</Key>");

            storage.put(Location.of("s3://bucket/left.bin"), MemorySegment.ofArray(new byte[17 << 20]));

            assertThat(server.uploads())
                    .doesNotContain("<Key>left.bin</Key>")
                    .contains("<Key>left.bin.of-another</Key>");
        }
    }

    @Test
    void whoMayNotWriteFindsOutAtOnce() throws IOException {
        try (Storage storage = storage();
                Storage stranger = server.settings(ID, "wrong").open(StorageOptions.defaults())) {
            storage.requireWritable(Location.of("s3://bucket/some/where"));
            assertFails(() -> written(storage, "s3://no-such-bucket/x"), Kind.MISSING, "there is no such bucket");
            assertFails(() -> written(stranger, "s3://bucket/x"), Kind.DENIED, "403 (SignatureDoesNotMatch)");
            assertFails(() -> written(storage, "s3://bucket"), Kind.UNSUPPORTED, "names a bucket");
            assertThat(server.uploads()).doesNotContain("probe");
        }
    }

    private Storage over(CuttingRelay relay, Duration deadline) {
        S3Settings settings = new S3Settings(
                Optional.of(relay.endpoint()), "us-east-1", server.settings().credentials());
        return settings.open(StorageOptions.defaults()
                .readDeadline(deadline)
                .retries(new StorageOptions.Retries(Duration.ofMillis(1), Duration.ofMillis(20), 1)));
    }

    @Test
    @Tag("slow")
    void anUploadOverALineThatBreaksIsWhole() throws IOException {
        byte[] written = new byte[40 << 20];
        new Random(9).nextBytes(written);
        Location location = Location.of("s3://bucket/broken-line.bin");
        // every second connection lives for some part of a part, and all of them end
        try (CuttingRelay relay = new CuttingRelay(server.port(), i -> i % 2 == 0 ? 1 + i * 3_000_017L : 40L << 20);
                Storage storage = over(relay, Duration.ofMinutes(2));
                Storage direct = storage();
                BufferPool pool = BufferPool.create("test", 256 << 20)) {
            storage.put(location, MemorySegment.ofArray(written));

            assertThat(relay.cut()).isPositive();
            assertThat(bytes(direct.object(location).readAll(pool, 100 << 20))).isEqualTo(written);
        }
        assertThat(server.uploads()).doesNotContain("broken-line.bin");
    }

    @Test
    @Tag("slow")
    void anUploadThatFailsLeavesNothing() throws IOException {
        Location location = Location.of("s3://bucket/never.bin");
        try (CuttingRelay relay = new CuttingRelay(server.port(), _ -> 5L << 20);
                Storage storage = over(relay, Duration.ofSeconds(2));
                Storage direct = storage()) {
            assertThatThrownBy(() -> storage.put(location, MemorySegment.ofArray(new byte[40 << 20])))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("gave up after");

            assertFails(() -> direct.object(location).size(), Kind.MISSING, "404");
        }
        assertThat(server.uploads()).doesNotContain("never.bin");
    }

    @Test
    void anUploadThatIsInterruptedLeavesNothing() throws Exception {
        Location location = Location.of("s3://bucket/interrupted.bin");
        Thread writing = Thread.currentThread();
        try (CuttingRelay relay = new CuttingRelay(server.port(), i -> {
                    if (i == 3) {
                        writing.interrupt(); // parts are on their way
                    }
                    return Long.MAX_VALUE;
                });
                Storage storage = over(relay, Duration.ofMinutes(2));
                Storage direct = storage()) {
            assertThatThrownBy(() -> storage.put(location, MemorySegment.ofArray(new byte[90 << 20])))
                    .isInstanceOf(InterruptedIOException.class);

            assertThat(Thread.interrupted()).isTrue();
            assertFails(() -> direct.object(location).size(), Kind.MISSING, "404");
        }
        assertThat(server.uploads()).doesNotContain("interrupted.bin");
    }

    private static boolean written(Storage storage, String location) throws IOException {
        if (!location.endsWith("bucket")) {
            storage.requireWritable(Location.of(location));
        }
        storage.put(Location.of(location), MemorySegment.ofArray(new byte[10]));
        return true;
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        try (Storage storage = storage();
                Storage stranger = server.settings(ID, "wrong").open(StorageOptions.defaults());
                Storage unknown = server.settings("nobody", SECRET).open(StorageOptions.defaults());
                BufferPool pool = BufferPool.create("test", 16 << 20);
                Stream<ListedObject> nothing = storage.list("s3://bucket/none")) {
            StoredObject object = storage.object("s3://bucket/training.bin");

            assertFails(
                    () -> storage.object("s3://bucket/none").readAll(pool, 100),
                    Kind.MISSING,
                    "s3://bucket/none: the server said 404 (NoSuchKey)");
            assertFails(
                    () -> stranger.object("s3://bucket/training.bin").readAll(pool, 100),
                    Kind.DENIED,
                    "403 (SignatureDoesNotMatch)");
            assertFails(() -> unknown.object("s3://bucket/training.bin").readAll(pool, 100), Kind.DENIED, "403");
            assertFails(() -> object.read(200_000, 1, pool), Kind.RANGE, "416");
            assertFails(() -> object.read(199_999, 2, pool), Kind.RANGE, "cannot read 2 bytes at 199,999");
            assertFails(() -> storage.object("s3://bucket"), Kind.UNSUPPORTED, "names a bucket");
            assertFails(
                    () -> storage.object("s3:///x"),
                    Kind.UNSUPPORTED,
                    "names no bucket; what is wanted is s3://bucket/key");
            assertThatThrownBy(nothing::count)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("nothing in this folder");
        }
    }

    @Test
    void aListingTellsTheVersionsThatItsObjectsHave() throws IOException {
        try (Storage storage = storage();
                Stream<ListedObject> listed = storage.list("s3://bucket/train")) {
            for (ListedObject each : listed.toList()) {
                assertThat(ObjectVersion.hash(each.version()))
                        .isEqualTo(ObjectVersion.hash(
                                storage.object(each.location()).version()))
                        .isNotEqualTo(ObjectVersion.UNKNOWN);
            }
        }
    }

    @Test
    void imagesThatAreReplacedBehindTheSnapshotAreNotRead() throws Exception {
        try (Storage storage = storage()) {
            for (String name : List.of("cat/1.jpg", "cat/2.jpg", "dog/3.jpg")) {
                storage.put(Location.of("s3://bucket/snapshot/" + name), MemorySegment.ofArray(content));
            }
            try (ImageSource images =
                    ImageSource.open(storage, Location.of("s3://bucket/snapshot"), ImageLoaderOptions.defaults())) {
                String before = images.snapshot();
                assertThat(images.snapshot()).isEqualTo(before);
                content[7]++; // as many bytes as before
                storage.put(Location.of("s3://bucket/snapshot/cat/2.jpg"), MemorySegment.ofArray(content));

                List<String> failed = new ArrayList<>();
                try (Cursor<? extends ImageSample> cursor = images.images().open(0, Position.START)) {
                    while (cursor.advance()) {
                        try (ImageSample image = cursor.item()) {
                            image.read().decode();
                        } catch (ReadException unread) {
                            failed.add(String.valueOf(unread.getMessage()));
                        } catch (IllegalStateException withoutRow) {
                            // it was read
                        }
                    }
                }
                assertThat(failed)
                        .singleElement()
                        .asString()
                        .contains("cat/2.jpg", "has changed since the dataset was listed");
                assertThat(images.snapshot()).isNotEqualTo(before);
            } finally {
                content[7]--;
                for (String name : List.of("cat/1.jpg", "cat/2.jpg", "dog/3.jpg")) {
                    storage.delete(Location.of("s3://bucket/snapshot/" + name));
                }
            }
        }
    }
}
