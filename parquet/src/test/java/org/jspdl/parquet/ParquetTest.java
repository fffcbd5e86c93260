package org.jspdl.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspdl.data.shards.ShardFailures;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSummary;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Against files that pyarrow wrote.
class ParquetTest {
    private static final String[] COLUMNS = {"id", "image", "label", "text", "weight", "score", "flag", "tokens"};

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("parquet", 1 << 26);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private Cursor<ShardSample> open(Path file, ShardOptions options) throws Exception {
        return Shards.shard(storage, file.toString(), options, pool).open(0, Position.START);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "snappy", "zstd", "gzip", "v2"})
    void everyValueIsTheOneThatPyarrowWrote(String name) throws Exception {
        Path file = ParquetFiles.copy(name + ".parquet", folder);
        long row = 0;
        try (Cursor<ShardSample> cursor = open(file, ShardOptions.defaults().columns(COLUMNS))) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    check(sample, row++);
                }
            }
        }
        assertThat(row).isEqualTo(60);
    }

    private static void check(ShardSample sample, long i) {
        assertThat(sample.number("id")).isEqualTo(i * 1_000_000_007);
        assertThat(sample.number("label")).isEqualTo(i % 10);
        byte[] image = new byte[50 + (int) i];
        for (int j = 0; j < image.length; j++) {
            image[j] = (byte) (i * 31 + j);
        }
        assertThat(sample.bytes("image").mismatch(MemorySegment.ofArray(image))).isEqualTo(-1);
        assertThat(sample.has("text")).isEqualTo(i % 7 != 0);
        if (sample.has("text")) {
            assertThat(sample.text("text")).isEqualTo("text é " + i % 5);
        }
        assertThat(sample.bytes("weight").get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0))
                .isEqualTo(i / 3.0);
        assertThat(sample.bytes("score").get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0))
                .isEqualTo(i / 4f);
        assertThat(sample.bytes("flag").get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) (i % 3 == 0 ? 1 : 0));
        assertThat(sample.has("tokens")).isEqualTo(i % 11 != 5);
        if (sample.has("tokens")) {
            assertThat(sample.array("tokens").type()).isEqualTo(ElementType.INT32);
            assertThat(sample.array("tokens").shape().extent(0)).isEqualTo(i % 4);
            for (int j = 0; j < i % 4; j++) {
                assertThat(sample.bytes("tokens").get(ValueLayout.JAVA_INT_UNALIGNED, 4L * j))
                        .isEqualTo((int) i + j);
            }
        }
    }

    @Test
    void aProjectionMovesItsColumnsAndTheFooterAndNoMore() throws Exception {
        Path file = ParquetFiles.copy("none.parquet", folder);
        byte[] bytes = Files.readAllBytes(file);
        int footer = MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_INT_UNALIGNED, bytes.length - 8) + 8;
        ShardSummary summary = Shards.inspect(storage, file.toString(), pool);
        long label = summary.fields().get(2).bytes();
        long before = storage.stats().bytes();

        try (Cursor<ShardSample> cursor = open(file, ShardOptions.defaults().columns("label"))) {
            while (cursor.advance()) {
                cursor.item().close();
            }
        }

        assertThat(storage.stats().bytes() - before).isEqualTo(footer + label);
        assertThat(label).isLessThan(bytes.length / 20);
    }

    @Test
    void rowGroupsBeforeTheFirstRowAreNotRead() throws Exception {
        Path file = ParquetFiles.copy("snappy.parquet", folder);
        long start = storage.stats().bytes();
        try (Cursor<ShardSample> cursor = Shards.shard(
                        storage, file.toString(), ShardOptions.defaults().columns("image"), pool)
                .open(0, Position.at(55))) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.bytes("image").byteSize()).isEqualTo(105);
            }
        }
        assertThat(storage.stats().bytes() - start).isLessThan(Files.size(file) / 2);
    }

    @Test
    void columnsThatDoNotExistAreNamedWithThoseThatDo() throws Exception {
        Path file = ParquetFiles.copy("zstd.parquet", folder);

        assertRefused(file, ShardOptions.defaults().columns("imag"), "there is no column 'imag', only [id, image,");
        assertRefused(
                ParquetFiles.copy("lz4.parquet", folder),
                ShardOptions.defaults().columns("id2"),
                "there is no column");
    }

    private void assertRefused(Path file, ShardOptions options, String reason) throws Exception {
        try (Cursor<ShardSample> cursor = open(file, options)) {
            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(cursor::advance)
                    .withMessageStartingWith(file.toString())
                    .withMessageContaining(reason);
        }
    }

    @Test
    void aFileWithoutRowsHasNone() throws Exception {
        try (Cursor<ShardSample> cursor = open(
                ParquetFiles.copy("empty.parquet", folder),
                ShardOptions.defaults().columns("id"))) {
            assertThat(cursor.advance()).isFalse();
        }
    }

    @Test
    void inspectingTellsColumnsAndKinds() throws Exception {
        ShardSummary summary = Shards.inspect(
                storage, ParquetFiles.copy("zstd.parquet", folder).toString(), pool);

        assertThat(summary.format()).isEqualTo("Parquet");
        assertThat(summary.samples()).isEqualTo(60);
        assertThat(summary.fields())
                .extracting(ShardSummary.FieldSummary::kind)
                .containsExactly(
                        "INT64",
                        "bytes",
                        "INT32",
                        "text",
                        "FLOAT64",
                        "FLOAT32",
                        "BOOL",
                        "list of INT32",
                        "INT32",
                        "text",
                        "list of text");
    }

    @Test
    void truncatedAndForeignFilesAreRefusedOrSkipped() throws Exception {
        byte[] whole = Files.readAllBytes(ParquetFiles.copy("zstd.parquet", folder));
        Path cut = Files.write(folder.resolve("cut.parquet"), Arrays.copyOf(whole, whole.length - 100));
        List<ShardFailures.Broken> broken = new ArrayList<>();

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> open(cut, ShardOptions.defaults().columns("id")))
                .withMessageContaining("no Parquet file, or a truncated one");
        try (Cursor<ShardSample> cursor =
                open(cut, ShardOptions.defaults().failures(ShardFailures.skip(1, broken::add)))) {
            assertThat(cursor.advance()).isFalse();
        }
        assertThat(broken).hasSize(1);
    }

    /// Any byte changed: read, or a [FormatException], and no memory kept.
    @Test
    void damagedFilesNeverDoMoreThanFail() throws Exception {
        SplittableRandom random = new SplittableRandom(20_261_121);
        int rounds = Boolean.getBoolean("campaign") ? 20_000 : 400;
        int refused = 0;
        List<byte[]> files = new ArrayList<>();
        for (String name : List.of("none", "snappy", "zstd", "gzip", "v2")) {
            files.add(Files.readAllBytes(ParquetFiles.copy(name + ".parquet", folder)));
        }
        Path file = folder.resolve("mutant.parquet");
        for (int round = 0; round < rounds; round++) {
            byte[] mutant = files.get(random.nextInt(files.size())).clone();
            for (int change = random.nextInt(3); change >= 0; change--) {
                mutant[random.nextInt(mutant.length)] = (byte) random.nextInt(256);
            }
            Files.write(file, mutant);
            try (Cursor<ShardSample> cursor =
                    open(file, ShardOptions.defaults().columns(COLUMNS).largestSample(1 << 20))) {
                while (cursor.advance()) {
                    cursor.item().close();
                }
            } catch (FormatException expected) {
                refused++;
            }
            assertThat(pool.outstanding()).isZero();
        }
        System.out.printf("mutated Parquet: %,d of %,d refused%n", refused, rounds);
        assertThat(refused).isPositive();
    }
}
