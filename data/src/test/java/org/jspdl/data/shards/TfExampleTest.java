package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.jspdl.data.shards.tfrecord.TfRecordFormat;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Records that Google's library for protocol buffers encodes.
class TfExampleTest {
    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("examples", 1 << 26);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    /// A feature, whose numbers are packed or one behind the other: both are valid.
    private static byte[] feature(List<?> values, int kind, boolean packed) throws IOException {
        byte[] list = TfExampleFiles.message(out -> {
            if (kind == 1 || !packed) {
                for (Object value : values) {
                    switch (value) {
                        case byte[] bytes -> out.writeBytes(1, ByteString.copyFrom(bytes));
                        case Float number -> out.writeFloat(1, number);
                        case Long number -> out.writeInt64(1, number);
                        default -> throw new AssertionError(value);
                    }
                }
                return;
            }
            out.writeByteArray(1, TfExampleFiles.message(inside -> {
                for (Object value : values) {
                    if (value instanceof Float number) {
                        inside.writeFloatNoTag(number);
                    } else {
                        inside.writeInt64NoTag((Long) value);
                    }
                }
            }));
        });
        return TfExampleFiles.message(out -> out.writeByteArray(kind, list));
    }

    private static byte[] example(Map<String, byte[]> features) throws IOException {
        byte[] all = TfExampleFiles.message(out -> {
            for (Map.Entry<String, byte[]> each : features.entrySet()) {
                out.writeByteArray(1, TfExampleFiles.message(entry -> {
                    entry.writeString(1, each.getKey());
                    entry.writeByteArray(2, each.getValue());
                }));
            }
        });
        return TfExampleFiles.message(out -> out.writeByteArray(1, all));
    }

    private static byte[] joined(byte[] first, byte[] second) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }

    private static byte[] file(List<byte[]> records) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (byte[] record : records) {
            byte[] length = ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(record.length)
                    .array();
            file.writeBytes(length);
            file.writeBytes(masked(length));
            file.writeBytes(record);
            file.writeBytes(masked(record));
        }
        return file.toByteArray();
    }

    private static byte[] masked(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        int value = (int) crc.getValue();
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((value >>> 15 | value << 17) + 0xA282EAD8)
                .array();
    }

    private Cursor<ShardSample> open(Path file, String... columns) throws Exception {
        return Shards.shard(storage, file.toString(), ShardOptions.defaults().columns(columns), pool)
                .open(0, Position.START);
    }

    @Test
    void randomExamplesAreTheirFeatures() throws Exception {
        SplittableRandom random = new SplittableRandom(20);
        List<Map<String, List<?>>> expected = new ArrayList<>();
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Map<String, List<?>> values = new LinkedHashMap<>();
            Map<String, byte[]> features = new LinkedHashMap<>();
            for (int f = random.nextInt(1, 6); f > 0; f--) {
                int kind = random.nextInt(1, 4);
                List<Object> list = new ArrayList<>();
                for (int n = random.nextInt(4); n > 0; n--) {
                    byte[] bytes = new byte[random.nextInt(9)];
                    random.nextBytes(bytes);
                    list.add(kind == 1 ? bytes : kind == 2 ? (Object) (float) random.nextDouble() : random.nextLong());
                }
                values.put("image/f" + f, list);
                features.put("image/f" + f, feature(list, kind, random.nextBoolean()));
            }
            expected.add(values);
            records.add(example(features));
        }
        Path file = Files.write(folder.resolve("train-00000-of-01024"), file(records));
        int row = 0;
        try (Cursor<ShardSample> cursor = open(file)) {
            for (; cursor.advance(); row++) {
                try (ShardSample sample = cursor.item()) {
                    check(sample, expected.get(row));
                }
            }
        }
        assertThat(row).isEqualTo(200);
    }

    private static void check(ShardSample sample, Map<String, List<?>> expected) {
        expected.forEach((name, values) -> {
            MemorySegment bytes = sample.bytes(name);
            boolean texts = values.isEmpty() ? sample.elementType(name).isEmpty() : values.getFirst() instanceof byte[];
            if (texts && values.size() == 1) {
                assertThat(bytes.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(values.getFirst());
            } else if (texts) {
                long at = 0;
                for (int i = 0; i < values.size(); i++) {
                    long length = sample.bytes(name + ".lengths").get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i);
                    assertThat(bytes.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE))
                            .isEqualTo(values.get(i));
                    at += length;
                }
                assertThat(at).isEqualTo(bytes.byteSize());
            } else {
                assertThat(sample.array(name).shape().extents()).containsExactly(values.size());
                for (int i = 0; i < values.size(); i++) {
                    Object found = sample.elementType(name).orElseThrow() == ElementType.FLOAT32
                            ? (Object) bytes.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i)
                            : (Object) bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i);
                    assertThat(found).isEqualTo(values.get(i));
                }
            }
        });
        assertThat(sample.has("record")).isFalse();
    }

    @Test
    void columnsTakeSomeFeaturesAndTheRecordIfItIsAskedFor() throws Exception {
        byte[] record = example(Map.of(
                "image/encoded", feature(List.of("jpeg".getBytes(StandardCharsets.UTF_8)), 1, false),
                "image/class/label", feature(List.of(7L), 3, true)));
        Path file = Files.write(folder.resolve("x.tfrecord"), file(List.of(record)));
        try (Cursor<ShardSample> cursor = open(file, "image/class/label", "record")) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.number("image/class/label")).isEqualTo(7);
                assertThat(sample.bytes("record").byteSize()).isEqualTo(record.length);
                assertThat(sample.has("image/encoded")).isFalse();
            }
        }
        ShardFile shard =
                new ShardFile(storage, org.jspdl.data.storage.Location.of(file), ShardOptions.defaults(), pool);
        assertThat(new TfRecordFormat().schema(shard).imageColumns())
                .containsExactly("image/encoded", "image/class/label");
    }

    /// Messages may be joined by joining their bytes: lists go on, and of two kinds the last one counts.
    @Test
    void aListThatIsWrittenInPiecesIsWhole() throws Exception {
        byte[] first = feature(List.of(1L, 2L), 3, true);
        byte[] second = feature(List.of(3L), 3, false);
        byte[] record = example(Map.of("a", joined(first, second), "b", joined(first, feature(List.of(), 2, true))));
        Path file = Files.write(folder.resolve("x.tfrecord"), file(List.of(record)));
        try (Cursor<ShardSample> cursor = open(file)) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.array("a").shape().extents()).containsExactly(3);
                assertThat(sample.bytes("a").toArray(ValueLayout.JAVA_LONG_UNALIGNED))
                        .containsExactly(1, 2, 3);
                assertThat(sample.elementType("b")).contains(org.jspdl.memory.ElementType.FLOAT32);
            }
        }
    }

    @Test
    void whatIsNoExampleStaysARecord() throws Exception {
        SplittableRandom random = new SplittableRandom(4);
        byte[] whole = example(Map.of("a", feature(List.of(1L, 2L), 3, true)));
        List<byte[]> records = new ArrayList<>(List.of(new byte[0], "text".getBytes(StandardCharsets.UTF_8)));
        for (int i = 0; i < 100; i++) {
            byte[] noise = new byte[random.nextInt(40)];
            random.nextBytes(noise);
            records.add(noise);
            records.add(java.util.Arrays.copyOf(whole, random.nextInt(whole.length)));
        }
        Path file = Files.write(folder.resolve("x.tfrecord"), file(records));
        int row = 0;
        try (Cursor<ShardSample> cursor = open(file)) {
            for (; cursor.advance(); row++) {
                try (ShardSample sample = cursor.item()) {
                    assertThat(sample.bytes("record").toArray(ValueLayout.JAVA_BYTE))
                            .isEqualTo(records.get(row));
                }
            }
        }
        assertThat(row).isEqualTo(records.size());
    }

    @Test
    void whatIsNoExampleThoughItsFeaturesAreWantedIsRefusedWithTheFeatureAndThePlace() throws Exception {
        byte[] unknown = example(Map.of("label", feature(List.of(1L), 4, false)));
        byte[] long2 = example(Map.of("label", new byte[] {3 << 3 | 2, 50, 1}));
        Map<byte[], String> records = Map.of(
                unknown,
                "the feature 'label': at byte 14 a feature has the field 4 of wire type 2",
                long2,
                "the feature 'label': at byte 15 something claims 50 bytes, but only 1 are left",
                "text".getBytes(StandardCharsets.UTF_8),
                "at byte 1 a message with the field 1 alone has the field 14",
                new byte[0],
                "it is empty");
        for (Map.Entry<byte[], String> each : records.entrySet()) {
            Path file = Files.write(folder.resolve("x.tfrecord"), file(List.of(each.getKey())));
            try (Cursor<ShardSample> cursor = open(file, "label")) {
                assertThatExceptionOfType(FormatException.class)
                        .isThrownBy(cursor::advance)
                        .withMessageContaining(
                                "has no field 'label', since it is no tf.train.Example: " + each.getValue());
            }
        }
    }

    @Test
    void gzippedRecordsAreFoundByTheirContent() throws Exception {
        List<byte[]> records = List.of(new byte[40], "two".getBytes(StandardCharsets.UTF_8), new byte[0]);
        Path file = folder.resolve("train-00000-of-00002");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(file(records));
        }
        try (Cursor<ShardSample> cursor = open(file)) {
            assertThat(cursor.advance()).isTrue();
            cursor.item().close();
            Position second = cursor.position();
            try (Cursor<ShardSample> again = Shards.shard(storage, file.toString(), ShardOptions.defaults(), pool)
                    .open(0, second)) {
                assertThat(again.advance()).isTrue();
                try (ShardSample sample = again.item()) {
                    assertThat(sample.text("record")).isEqualTo("two");
                    assertThat(sample.index()).isEqualTo(1);
                }
            }
        }
    }

    /// A length of 559,903 bytes begins as gzip does.
    @Test
    void aRecordWhoseLengthLooksLikeGzipIsARecord() throws Exception {
        Path file = Files.write(folder.resolve("x.tfrecord"), file(List.of(new byte[0x088b1f])));
        try (Cursor<ShardSample> cursor = open(file)) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.bytes("record").byteSize()).isEqualTo(0x088b1f);
            }
        }
    }
}
