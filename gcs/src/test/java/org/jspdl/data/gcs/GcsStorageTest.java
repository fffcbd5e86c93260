package org.jspdl.data.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspdl.data.http.Authorizer;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Against a server written from Google's documentation, because there is no emulator by others; Google's own library
/// gets the tokens.
class GcsStorageTest {
    private static final List<String> KEYS =
            List.of("train/a b.bin", "train/deep/er/#1%20+&=.bin", "train/ü/ñ.bin", "training.bin");

    private final BufferPool pool = BufferPool.create("test", 256 << 20);
    private GcsServer server;

    @BeforeEach
    void start() throws IOException {
        server = new GcsServer();
    }

    @AfterEach
    void stop() {
        pool.close();
        server.close();
    }

    private Storage storage(Authorizer authorizer) {
        return new GcsSettings(server.endpoint(), authorizer).open(StorageOptions.defaults());
    }

    private Storage storage() {
        return storage(new GoogleAuthorizer(() -> TestAccount.of(server)));
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new SplittableRandom(count).nextBytes(bytes);
        return bytes;
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
                .hasMessageContaining(text);
    }

    @Test
    void readsWholeObjectsAndRangesWhateverTheirNamesWithOneToken() throws IOException {
        byte[] content = bytes(200_000);
        try (Storage storage = storage()) {
            for (String key : KEYS) {
                server.objects().put(key, content);
                try (StoredObject object = storage.object("gs://bucket/" + key)) {
                    List<Lease> two = object.read(List.of(new ByteRange(150_000, 7), new ByteRange(10, 100)), pool);

                    assertThat(bytes(object.readAll(pool, 1 << 20))).isEqualTo(content);
                    assertThat(bytes(two.get(0))).isEqualTo(Arrays.copyOfRange(content, 150_000, 150_007));
                    assertThat(bytes(two.get(1))).isEqualTo(Arrays.copyOfRange(content, 10, 110));
                    assertThat(object.size()).isEqualTo(200_000);
                }
                try (StoredObject object = storage.object("gs://bucket/" + key)) {
                    assertThat(object.size()).as("by HEAD").isEqualTo(200_000);
                }
            }
        }
        assertThat(server.tokens()).isEqualTo(1);
    }

    @Test
    void listsWhatIsBelowAFolderPageByPage() throws IOException {
        KEYS.forEach(key -> server.objects().put(key, bytes(10)));
        IntStream.range(0, 2_500).forEach(i -> server.objects().put("many/%04d".formatted(i), bytes(5)));
        server.objects().put("train/", new byte[0]);
        try (Storage storage = storage();
                Stream<ListedObject> train = storage.list("gs://bucket/train");
                Stream<ListedObject> many = storage.list("gs://bucket/many")) {
            assertThat(train.map(each -> new ListedObject(each.location(), each.size())))
                    .containsExactlyInAnyOrderElementsOf(KEYS.subList(0, 3).stream()
                            .map(key -> new ListedObject(Location.of("gs://bucket/" + key), 10))
                            .toList());
            assertThat(many.map(each -> each.location().toString()).toList())
                    .hasSize(2_500)
                    .startsWith("gs://bucket/many/0000")
                    .endsWith("gs://bucket/many/2499");
        }
    }

    @Test
    void writesObjectsOfAnySizeAndLeavesNoPartsBehind() throws IOException {
        try (Storage storage = storage()) {
            storage.requireWritable(Location.of("gs://bucket/out"));
            assertThat(server.uploads()).isEmpty();
            for (int size : new int[] {1, 1 << 20, (16 << 20) + 1, 50_000_000}) {
                byte[] content = bytes(size);
                storage.put(Location.of("gs://bucket/out/a b.tar"), MemorySegment.ofArray(content));

                assertThat(Arrays.equals(server.objects().get("out/a b.tar"), content))
                        .isTrue();
            }
            assertThat(server.uploads()).isEmpty();
            assertThat(server.objects().keySet()).containsExactly("out/a b.tar");
        }
    }

    @Test
    void whatNoRetryCanHelpFailsAtOnce() throws IOException {
        try (Storage storage = storage();
                Storage stranger = storage(Authorizer.anonymous());
                Storage nobody = storage(new GoogleAuthorizer(() -> {
                    throw new IOException("Your default credentials were not found.");
                }))) {
            assertFails(() -> storage.object("gs://bucket/none").readAll(pool, 10), Kind.MISSING, "no such object");
            assertFails(() -> storage.object("gs://none/none").readAll(pool, 10), Kind.MISSING, "no such bucket");
            assertFails(() -> storage.object("gs://bucket"), Kind.UNSUPPORTED, "names a bucket, not an object in it");
            assertFails(
                    () -> storage.object("gs:///a"),
                    Kind.UNSUPPORTED,
                    "names no bucket; what is wanted is gs://bucket/key");
            assertFails(() -> stranger.object("gs://bucket/a").readAll(pool, 10), Kind.DENIED, "403 (AccessDenied)");
            assertFails(
                    () -> nobody.object("gs://bucket/a").readAll(pool, 10), Kind.DENIED, "no Google credentials found");
            assertThat(server.requests()).isEqualTo(3);
        }
        server.refuseTokens();
        try (Storage storage = storage()) {
            assertFails(
                    () -> storage.object("gs://bucket/a").readAll(pool, 10),
                    Kind.DENIED,
                    "Google gives no token for these credentials");
        }
    }

    @Test
    void theEnvironmentSaysWhereAndWho() throws IOException {
        server.open();
        server.objects().put("a", bytes(10));
        String host = server.endpoint().substring("http://".length());
        GcsSettings emulated = GcsSettings.of(Map.of("STORAGE_EMULATOR_HOST", host));
        try (Storage storage = emulated.open(StorageOptions.defaults())) {
            assertThat(bytes(storage.object("gs://bucket/a").readAll(pool, 10))).isEqualTo(bytes(10));
        }

        assertThat(server.tokens()).isZero();
        assertThat(GcsSettings.of(Map.of()).endpoint()).isEqualTo("https://storage.googleapis.com");
        assertThat(GcsSettings.of(Map.of()).authorizer()).isInstanceOf(GoogleAuthorizer.class);
        assertThat(GcsSettings.of(Map.of("GOOGLE_SKIP_SIGNATURE", "true")).authorizer())
                .isNotInstanceOf(GoogleAuthorizer.class);
    }
}
