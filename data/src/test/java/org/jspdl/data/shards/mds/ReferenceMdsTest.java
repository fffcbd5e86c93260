package org.jspdl.data.shards.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspdl.data.shards.KeptFiles;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that Streaming's own writer wrote: `resources/mds/make.py` says how.
class ReferenceMdsTest {
    private static final String SHA_256 = "60ef1aba26c2261df49815bc7cab3982503fb1ded72fbadf605f6ec8aebf6fb5";

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("mds", 1 << 26);

    @BeforeEach
    void unpack() throws Exception {
        KeptFiles.unpack("/mds/reference.zip", SHA_256, folder);
    }

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private Cursor<ShardSample> open(String name, String... columns) throws Exception {
        return Shards.open(
                        storage,
                        folder.resolve(name).toString(),
                        ShardOptions.defaults().columns(columns),
                        pool)
                .shard(0, 1)
                .open(0, Position.START);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "zstd"})
    void everyValueIsTheOneThatStreamingWrote(String name) throws Exception {
        List<byte[]> jpegs = jpegs();
        try (Cursor<ShardSample> cursor = open(name)) {
            for (int k = 0; k < 6; k++) {
                assertThat(cursor.advance()).isTrue();
                try (ShardSample sample = cursor.item()) {
                    texts(sample, k);
                    arrays(sample, k);
                    numbers(sample, k);
                    images(sample, k, jpegs);
                }
            }
            assertThat(cursor.advance()).isFalse();
        }
    }

    private static void texts(ShardSample sample, int k) {
        byte[] counted = new byte[k];
        for (int i = 0; i < k; i++) {
            counted[i] = (byte) i;
        }
        assertThat(bytes(sample, "bytes")).isEqualTo(counted);
        assertThat(sample.text("text")).isEqualTo("é".repeat(k));
        assertThat(sample.text("digits")).isEqualTo("100000000000000000000000000000" + k);
        assertThat(sample.text("real")).isEqualTo(String.valueOf(k / 4.0));
        assertThat(sample.text("decimal")).isEqualTo("1.50");
        assertThat(sample.text("json")).isEqualTo("{\"a\": [" + k + ", null]}");
    }

    private static void arrays(ShardSample sample, int k) {
        ByteBuffer any = little(600 * (k + 1));
        for (int i = 0; i < 300 * (k + 1); i++) {
            any.putShort((short) i);
        }
        assertThat(sample.array("any").shape().extents()).containsExactly(300, k + 1);
        assertThat(bytes(sample, "any")).isEqualTo(written(any));
        ByteBuffer floats = little(4 * (k + 1));
        for (int i = 0; i <= k; i++) {
            floats.putFloat(i / 4f);
        }
        assertThat(sample.array("floats").shape().extents()).containsExactly(k + 1);
        assertThat(bytes(sample, "floats")).isEqualTo(written(floats));
        ByteBuffer fixed = little(12);
        for (int i = 0; i < 6; i++) {
            fixed.putShort((short) -k);
        }
        assertThat(sample.array("fixed").shape().extents()).containsExactly(2, 3);
        assertThat(bytes(sample, "fixed")).isEqualTo(written(fixed));
        byte[] gray = new byte[15];
        Arrays.fill(gray, (byte) k);
        assertThat(sample.array("pixels").shape().extents()).containsExactly(3, 5, 1);
        assertThat(bytes(sample, "pixels")).isEqualTo(gray);
    }

    private static void numbers(ShardSample sample, int k) {
        assertThat(bytes(sample, "int"))
                .isEqualTo(little(8).putLong(-k * (1L << 40)).array());
        for (int bits = 8; bits <= 64; bits *= 2) {
            long largest = bits == 64 ? Long.MAX_VALUE : (1L << (bits - 1)) - 1;
            long signed = k % 2 == 1 ? largest - k : -largest - 1 + k;
            long unsigned = k % 2 == 1 ? 2 * largest + 1 - k : k;
            assertThat(bytes(sample, "int" + bits)).isEqualTo(MdsFiles.little(bits / 8, signed));
            assertThat(bytes(sample, "uint" + bits)).isEqualTo(MdsFiles.little(bits / 8, unsigned));
        }
        double real = (k - 2) / 4.0;
        assertThat(bytes(sample, "float16"))
                .isEqualTo(
                        little(2).putShort(Float.floatToFloat16((float) real)).array());
        assertThat(bytes(sample, "float32"))
                .isEqualTo(little(4).putFloat((float) real).array());
        assertThat(bytes(sample, "float64")).isEqualTo(little(8).putDouble(real).array());
    }

    private static void images(ShardSample sample, int k, List<byte[]> jpegs) {
        ByteBuffer lengths = little(8 * (k + 1));
        byte[] joined = {};
        for (int i = 0; i <= k; i++) {
            lengths.putLong(jpegs.get(i).length);
            joined = MdsFiles.join(joined, jpegs.get(i));
        }
        assertThat(bytes(sample, "jpegs")).isEqualTo(joined);
        assertThat(bytes(sample, "jpegs.lengths")).isEqualTo(written(lengths));
        assertThat(sample.array("jpegs.lengths").shape().extents()).containsExactly(k + 1);
        assertThat(sample.array("jpeglist.lengths").shape().extents()).containsExactly(k);
        assertThat(sample.array("pnglist.lengths").shape().extents()).containsExactly(k);
        if (k > 0) {
            assertThat(Arrays.copyOf(bytes(sample, "jpeglist"), 3)).containsExactly(0xFF, 0xD8, 0xFF);
            assertThat(new String(bytes(sample, "pnglist"), 1, 3, StandardCharsets.US_ASCII))
                    .isEqualTo("PNG");
        }
        assertThat(Arrays.copyOf(bytes(sample, "jpeg"), 3)).containsExactly(0xFF, 0xD8, 0xFF);
        assertThat(new String(bytes(sample, "png"), 1, 3, StandardCharsets.US_ASCII))
                .isEqualTo("PNG");
    }

    @Test
    void lengthsComeWithTheImagesThatTheyAreOf() throws Exception {
        try (Cursor<ShardSample> cursor = open("plain", "jpegs.lengths", "int32")) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.names()).containsExactlyInAnyOrder("jpegs", "jpegs.lengths", "int32");
            }
        }
    }

    /// Of the fields of one sample, each byte wrong in turn: the sizes and counts in it must fit, and nothing
    /// leaks.
    @Test
    void aListWhoseCountOrSizesDoNotFitIsRefused() throws Exception {
        byte[] two = MdsFiles.join(MdsFiles.little(4, 2), MdsFiles.little(4, 3), MdsFiles.little(4, 1), new byte[4]);
        assertThat(lengthsOf("jpeg_array", two)).isEqualTo("[2]");
        for (int at : new int[] {0, 3, 4, 7, 8}) {
            byte[] wrong = two.clone();
            wrong[at]++;
            assertThatExceptionOfType(FormatException.class).isThrownBy(() -> lengthsOf("jpeg_array", wrong));
        }
        assertThat(lengthsOf("list[png]", MdsFiles.join(new byte[4], two))).isEqualTo("[2]");
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> lengthsOf("list[png]", MdsFiles.join(new byte[] {1, 0, 0, 0}, two)))
                .withMessageContaining("lists of a newer kind");
        assertThat(pool.outstanding()).isZero();
    }

    private String lengthsOf(String encoding, byte[] value) throws Exception {
        Path file = Files.write(
                folder.resolve("one.mds"),
                MdsFiles.file(List.of(new MdsFiles.Column("x", encoding, 0, List.of(value)))));
        try (Cursor<ShardSample> cursor = Shards.shard(storage, file.toString(), ShardOptions.defaults(), pool)
                .open(0, Position.START)) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                return Arrays.toString(sample.array("x.lengths").shape().extents());
            }
        }
    }

    private List<byte[]> jpegs() throws Exception {
        List<byte[]> jpegs = new ArrayList<>();
        for (String hex : Files.readString(folder.resolve("jpegs.json"))
                .replaceAll("[\\[\\]\" ]", "")
                .split(",")) {
            jpegs.add(HexFormat.of().parseHex(hex));
        }
        return jpegs;
    }

    private static byte[] bytes(ShardSample sample, String field) {
        return sample.bytes(field).toArray(ValueLayout.JAVA_BYTE);
    }

    private static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] written(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.get(0, bytes);
        return bytes;
    }
}
