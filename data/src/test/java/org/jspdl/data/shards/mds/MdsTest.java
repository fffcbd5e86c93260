package org.jspdl.data.shards.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.jspdl.data.shards.mds.MdsFiles.file;
import static org.jspdl.data.shards.mds.MdsFiles.join;
import static org.jspdl.data.shards.mds.MdsFiles.labeled;
import static org.jspdl.data.shards.mds.MdsFiles.little;
import static org.jspdl.data.shards.mds.MdsFiles.utf8;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.mds.MdsFiles.Column;
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
    void theChecksumOfAGzippedShardIsVerifiedAndNothingMayStandBehindTheSamples() throws Exception {
        byte[] plain = file(labeled(3));
        byte[] damaged = MdsFiles.gzip(plain);
        damaged[damaged.length - 8] ^= 1;
        byte[] longer = MdsFiles.gzip(join(plain, new byte[1]));
        for (byte[] content : List.of(damaged, longer)) {
            Path file = Files.write(folder.resolve("shard.00000.mds.gz"), content);
            try (Cursor<ShardSample> cursor = shard(file).open(0, Position.START)) {
                for (int i = 0; i < 3; i++) {
                    assertThat(cursor.advance()).isTrue();
                    cursor.item().close();
                }
                assertThatExceptionOfType(FormatException.class)
                        .isThrownBy(cursor::advance)
                        .withMessageContaining(content == damaged ? "checksum" : "bytes behind the last sample");
            }
        }
    }

    @Test
    void compressedShardsHoldTheSameAndResume() throws Exception {
        byte[] plain = file(labeled(20));
        Path raw = Files.write(folder.resolve("shard.00000.mds"), plain);
        Path small = Files.write(folder.resolve("shard.00000.mds.zstd"), MdsFiles.zstd(plain));
        Path zipped = Files.write(folder.resolve("shard.00000.mds.gz"), MdsFiles.gzip(plain));
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
        Path zipped = Files.write(folder.resolve("bomb.mds.gz"), MdsFiles.gzip(content.toByteArray()));
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
}
