package org.jspdl.data.shards.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.airlift.compress.v3.zstd.ZstdNativeCompressor;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files written by the published layout of MDS, version 2.
class MdsTest {
    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("mds", 1 << 26);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    /// A column, its values, and what a value is, with the size of those that all have it.
    private record Column(String name, String encoding, int size, List<byte[]> values) {}

    private static byte[] file(List<Column> columns) {
        int samples = columns.getFirst().values.size();
        List<String> encodings = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> sizes = new ArrayList<>();
        for (Column column : columns) {
            encodings.add("\"" + column.encoding + "\"");
            names.add("\"" + column.name + "\"");
            sizes.add(column.size == 0 ? "null" : String.valueOf(column.size));
        }
        byte[] config = ("{\"column_encodings\": " + encodings + ", \"column_names\": " + names
                        + ", \"column_sizes\": " + sizes + ", \"compression\": null, \"format\": \"mds\","
                        + " \"hashes\": [], \"size_limit\": 67108864, \"version\": 2}")
                .getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bodies = new ByteArrayOutputStream();
        ByteBuffer head = ByteBuffer.allocate(4 * (samples + 2)).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(samples).putInt(head.capacity() + config.length);
        for (int i = 0; i < samples; i++) {
            for (Column column : columns) {
                if (column.size == 0) {
                    bodies.writeBytes(little(4, column.values.get(i).length));
                }
            }
            for (Column column : columns) {
                bodies.writeBytes(column.values.get(i));
            }
            head.putInt(head.capacity() + config.length + bodies.size());
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(head.array());
        file.writeBytes(config);
        file.writeBytes(bodies.toByteArray());
        return file.toByteArray();
    }

    private static byte[] little(int bytes, long value) {
        byte[] little = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            little[i] = (byte) (value >>> (8 * i));
        }
        return little;
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<Column> labeled(int samples) {
        List<byte[]> labels = new ArrayList<>();
        List<byte[]> images = new ArrayList<>();
        for (int i = 0; i < samples; i++) {
            labels.add(little(8, i % 7));
            images.add(utf8("image " + i).clone());
        }
        return List.of(new Column("y", "int", 8, labels), new Column("x", "jpeg:90", 0, images));
    }

    private Source<ShardSample> shard(Path file, String... columns) throws Exception {
        return Shards.shard(storage, file.toString(), ShardOptions.defaults().columns(columns), pool);
    }

    @Test
    void everyEncodingIsItsValue() throws Exception {
        List<Column> columns = new ArrayList<>();
        for (String text : List.of("bytes", "str", "json", "jpeg", "png", "str_int", "str_float", "str_decimal")) {
            columns.add(new Column(text, text, 0, List.of(utf8("[1] é"))));
        }
        for (String number : List.of("uint8", "int8", "uint16", "int16", "float16", "uint32", "int32", "float32")) {
            int size = Integer.parseInt(number.replaceAll("\\D+", "")) / 8;
            columns.add(new Column(number, number, size, List.of(little(size, -2))));
        }
        byte[] six = new byte[24];
        for (int i = 0; i < six.length; i++) {
            six[i] = (byte) i;
        }
        columns.add(new Column("a", "ndarray", 0, List.of(join(new byte[] {34, 2 << 2, 2, 3}, six))));
        columns.add(new Column("b", "ndarray:float32", 0, List.of(join(new byte[] {2 << 2 | 1, 2, 0, 3, 0}, six))));
        columns.add(new Column("c", "ndarray:float32:2,3", 24, List.of(six)));
        columns.add(
                new Column("p", "pil", 0, List.of(join(little(4, 4), little(4, 2), little(4, 3), utf8("RGB"), six))));
        Path file = Files.write(folder.resolve("shard.00000.mds"), file(columns));
        try (Cursor<ShardSample> cursor = shard(file).open(0, Position.START)) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.text("str")).isEqualTo("[1] é");
                assertThat(sample.text("str_decimal")).isEqualTo("[1] é");
                assertThat(sample.number("int8")).isEqualTo(-2);
                assertThat(sample.number("uint32")).isEqualTo(0xFFFF_FFFEL);
                assertThat(sample.elementType("float16")).contains(ElementType.FLOAT16);
                for (String array : List.of("a", "b", "c")) {
                    assertThat(sample.elementType(array)).contains(ElementType.FLOAT32);
                    assertThat(sample.array(array).shape().extents()).containsExactly(2, 3);
                    assertThat(sample.bytes(array).toArray(ValueLayout.JAVA_BYTE))
                            .isEqualTo(six);
                }
                assertThat(sample.array("p").shape().extents()).containsExactly(2, 4, 3);
            }
            assertThat(cursor.advance()).isFalse();
        }
    }

    @Test
    void compressedShardsHoldTheSameAndResume() throws Exception {
        byte[] plain = file(labeled(20));
        Path raw = Files.write(folder.resolve("shard.00000.mds"), plain);
        ZstdNativeCompressor zstd = new ZstdNativeCompressor();
        byte[] room = new byte[zstd.maxCompressedLength(plain.length)];
        int size = zstd.compress(plain, 0, plain.length, room, 0, room.length);
        Path small = Files.write(folder.resolve("shard.00000.mds.zstd"), Arrays.copyOf(room, size));
        Path zipped = folder.resolve("shard.00000.mds.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write(plain);
        }
        assertThat(shard(raw).size()).hasValue(20);
        for (Path file : List.of(raw, small, zipped)) {
            for (long from : new long[] {0, 13, 20}) {
                List<String> read = new ArrayList<>();
                try (Cursor<ShardSample> cursor = shard(file).open(0, Position.at(from))) {
                    while (cursor.advance()) {
                        try (ShardSample sample = cursor.item()) {
                            read.add(sample.text("x") + " " + sample.number("y"));
                        }
                    }
                }
                assertThat(read).as("%s from %s", file, from).hasSize((int) (20 - from));
                if (from == 13) {
                    assertThat(read.getFirst()).isEqualTo("image 13 6");
                }
            }
        }
    }

    @Test
    void aFileOfZerosThatClaimsMillionsOfSamplesIsRefusedAtTheFirst() throws Exception {
        int samples = 400_000_000;
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.writeBytes(little(4, samples));
        content.writeBytes(little(4, 4 * (2L + samples) + 100));
        content.writeBytes(new byte[1 << 20]);
        Path zipped = folder.resolve("bomb.mds.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write(content.toByteArray());
        }
        Path plain = Files.write(folder.resolve("bomb.mds"), content.toByteArray());

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> shard(zipped).open(0, Position.START))
                .withMessageContaining("sample 0 ends before it begins");
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> shard(plain).size())
                .withMessageContaining("truncated");
    }

    @Test
    void theImageAndTheLabelAreKnownFromTheColumns() throws Exception {
        Path file = Files.write(folder.resolve("shard.00000.mds"), file(labeled(3)));

        var schema = Shards.schema(storage, org.jspdl.data.storage.Location.of(file), pool);

        assertThat(schema.imageColumns()).containsExactly("x", "y");
        assertThat(Shards.inspect(storage, file.toString(), pool).samples()).isEqualTo(3);
        assertThat(Shards.areMeant(org.jspdl.data.storage.Location.of(folder))).isTrue();
    }

    @Test
    void pickledColumnsAreRefusedByNameUnlessOthersAreWanted() throws Exception {
        List<Column> columns = new ArrayList<>(labeled(2));
        columns.add(new Column("z", "pkl", 0, List.of(new byte[2], new byte[3])));
        Path file = Files.write(folder.resolve("shard.00000.mds"), file(columns));

        try (Cursor<ShardSample> cursor = shard(file).open(0, Position.START)) {
            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(cursor::advance)
                    .withMessageContaining("the column 'z' is encoded as 'pkl', which is not supported");
        }
        try (Cursor<ShardSample> cursor = shard(file, "y").open(0, Position.START)) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.names()).containsExactly("y");
            }
        }
    }

    /// Any byte changed, or the file cut: read, or a [FormatException], and no memory kept.
    @Test
    void damagedFilesNeverDoMoreThanFail() throws Exception {
        long seed = Boolean.getBoolean("campaign") ? System.nanoTime() : 20;
        SplittableRandom random = new SplittableRandom(seed);
        byte[] whole = file(labeled(9));
        int refused = 0;
        for (int round = Boolean.getBoolean("campaign") ? 50_000 : 500; round > 0; round--) {
            byte[] mutant = random.nextInt(4) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
            if (mutant.length > 0) {
                mutant[random.nextInt(Math.min(200, mutant.length))] = (byte) random.nextInt(256);
            }
            Path file = Files.write(folder.resolve("m.mds"), mutant);
            try (Cursor<ShardSample> cursor = shard(file).open(0, Position.START)) {
                while (cursor.advance()) {
                    cursor.item().close();
                }
            } catch (FormatException expected) {
                refused++;
            } catch (RuntimeException wrong) {
                throw new AssertionError("seed " + seed, wrong);
            }
            assertThat(pool.outstanding()).isZero();
        }
        assertThat(refused).isGreaterThan(100);
    }
}
