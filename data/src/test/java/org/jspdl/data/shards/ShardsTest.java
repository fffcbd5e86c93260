package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspdl.data.internal.text.BracePattern;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardsTest {
    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("shards", 1 << 26);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private List<String> texts(Path shard, ShardOptions options) throws Exception {
        return ShardTexts.all(Shards.shard(storage, shard.toString(), options, pool));
    }

    @Test
    void aTarGroupsFilesByTheirNameUpToTheFirstDot() throws Exception {
        Path shard = ShardFiles.tar(folder, 5, "pax");
        try (Cursor<ShardSample> cursor = Shards.shard(storage, shard.toString(), ShardOptions.defaults(), pool)
                .open(0, Position.START)) {
            assertThat(cursor.advance()).isTrue();
            cursor.item().close();
            assertThat(cursor.advance()).isTrue();
            try (ShardSample first = cursor.item()) {
                assertThat(first.key()).isEqualTo("dir.d/s0001");
                assertThat(first.names()).containsExactly("jpg", "seg.png", "cls");
                assertThat(first.bytes("jpg").byteSize()).isEqualTo(100);
                assertThat(first.number("cls")).isEqualTo(1);
                assertThat(first.firstOf("webp", "jpg").byteSize()).isEqualTo(100);
                assertThatExceptionOfType(FormatException.class)
                        .isThrownBy(() -> first.bytes("png"))
                        .withMessage(shard
                                + ": sample 1 ('dir.d/s0001'): there is no field 'png', only [jpg, seg.png, cls]");
                assertThatExceptionOfType(FormatException.class)
                        .isThrownBy(() -> first.number("seg.png"))
                        .withMessageContaining("no whole number");
            }
        }
    }

    @Test
    void onlyWantedFieldsAreRead() throws Exception {
        Path shard = ShardFiles.tar(folder, 4, "pax");

        assertThat(texts(shard, ShardOptions.defaults().columns("cls")))
                .containsExactly(
                        "0 dir.d/s0000 cls=30",
                        "1 dir.d/s0001 cls=31",
                        "2 dir.d/s0002 cls=32",
                        "3 dir.d/" + "long".repeat(40) + "0003 cls=33");
    }

    @Test
    void aFieldMayBeAbsentWhereThatIsSaid() throws Exception {
        Path shard = Files.writeString(folder.resolve("a.jsonl"), """
                {"a": 1, "b": 2}
                {"a": 3}
                """);

        assertThat(texts(shard, ShardOptions.defaults().columnsIfPresent("b"))).containsExactly("0 0 b=32", "1 1");
    }

    @Test
    void aMissingFieldIsAnErrorOrSkippedAndRecorded() throws Exception {
        Path shard = Files.writeString(folder.resolve("a.jsonl"), """
                {"a": 1, "b": 2}
                {"a": 3}
                no object
                {"a": 5, "b": 6}
                """);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> texts(shard, ShardOptions.defaults().columns("b")))
                .withMessage(shard + ": sample 1: '1' has no field 'b', nor another that was asked for; 'jspdl inspect'"
                        + " lists them");

        List<ShardFailures.Broken> broken = new ArrayList<>();
        ShardOptions skipping = ShardOptions.defaults().columns("a", "b").failures(ShardFailures.skip(2, broken::add));
        assertThat(texts(shard, skipping)).containsExactly("0 0 a=31 b=32", "3 3 a=35 b=36");
        assertThat(broken).extracting(ShardFailures.Broken::index).containsExactly(1L, 2L);
        assertThat(broken.getLast().reason()).contains("invalid JSON");
        assertThat(skipping.failures().skipped()).isEqualTo(2);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> texts(shard, skipping))
                .withMessageContaining("2 were skipped before, which is the limit");
    }

    @Test
    void aBrokenShardIsOneErrorOrItsRestIsSkipped() throws Exception {
        Path shard = ShardFiles.tar(folder, 10, "pax");
        byte[] whole = Files.readAllBytes(shard);
        Files.write(shard, Arrays.copyOf(whole, whole.length / 2 - 100));

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> texts(shard, ShardOptions.defaults()))
                .withMessageStartingWith(shard + ": sample ")
                .withMessageContaining("TAR: the archive ");
        List<ShardFailures.Broken> broken = new ArrayList<>();
        assertThat(texts(shard, ShardOptions.defaults().failures(ShardFailures.skip(1, broken::add))))
                .hasSizeBetween(2, 9);
        assertThat(broken).singleElement().matches(ShardFailures.Broken::rest);
        assertThat(pool.outstanding()).isZero();
    }

    @Test
    void jsonValuesAreFields() throws Exception {
        Path shard = ShardFiles.zstdJsonLines(folder, 3);
        try (Cursor<ShardSample> cursor = Shards.shard(storage, shard.toString(), ShardOptions.defaults(), pool)
                .open(0, Position.START)) {
            cursor.advance();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.text("text")).isEqualTo("line 0 é\n");
                assertThat(sample.text("list")).isEqualTo("[1, {\"a\": null}]");
                assertThat(sample.has("none")).isFalse();
            }
        }
    }

    @Test
    void aZstandardFileOfManyFramesIsReadToItsEnd() throws Exception {
        byte[] frame = Files.readAllBytes(ShardFiles.zstdJsonLines(folder, 3));
        byte[] newline = Files.readAllBytes(zstd("\n".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        Path many = folder.resolve("many.jsonl.zst");
        for (int i = 0; i < 200; i++) {
            Files.write(many, frame, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            Files.write(many, newline, StandardOpenOption.APPEND);
        }

        assertThat(texts(many, ShardOptions.defaults())).hasSize(600);
    }

    @Test
    void aZstandardFileThatDoesNotTellItsSizeIsRead() throws Exception {
        // Two frames: the first one's size is not the whole.
        byte[] one = Files.readAllBytes(ShardFiles.zstdJsonLines(folder, 50));
        byte[] newline = Files.readAllBytes(zstd("\n".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        Path two = folder.resolve("two.jsonl.zst");
        Files.write(
                two,
                ByteBuffer.allocate(2 * one.length + newline.length)
                        .put(one)
                        .put(newline)
                        .put(one)
                        .array());

        assertThat(texts(two, ShardOptions.defaults())).hasSize(100);
        Files.write(two, Arrays.copyOf(one, one.length - 5));
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> texts(two, ShardOptions.defaults()))
                .withMessageContaining("zstd: the file is corrupt");
    }

    private Path zstd(byte[] plain) throws Exception {
        var compressor = new io.airlift.compress.v3.zstd.ZstdNativeCompressor();
        byte[] out = new byte[compressor.maxCompressedLength(plain.length)];
        int size = compressor.compress(plain, 0, plain.length, out, 0, out.length);
        return Files.write(folder.resolve("n.zst"), Arrays.copyOf(out, size));
    }

    @Test
    void rowsOfArraysKeepTheirTypeAndShape() throws Exception {
        Path shard = ShardFiles.npz(folder, 3);
        try (Cursor<ShardSample> cursor = Shards.shard(storage, shard.toString(), ShardOptions.defaults(), pool)
                .open(0, Position.START)) {
            cursor.advance();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.array("image").type()).isEqualTo(ElementType.UINT8);
                assertThat(sample.array("image").shape().extents()).containsExactly(12);
                assertThat(sample.array("label").segment().byteSize()).isEqualTo(8);
            }
        }
    }

    @Test
    void aFolderOrAPatternMeansItsShards() throws Exception {
        Path tar = ShardFiles.tar(folder, 2, "pax");
        Files.copy(tar, folder.resolve("train-001.tar"));
        Files.writeString(folder.resolve("notes.txt"), "no shard");

        assertThat(Shards.locations(storage, Location.of(folder)))
                .containsExactly(
                        Location.of(folder.resolve("train-000.tar")), Location.of(folder.resolve("train-001.tar")));
        assertThat(Shards.locations(storage, Location.of(folder + "/train-{000..001}.tar")))
                .hasSize(2);
        assertThat(ShardTexts.all(
                        Shards.open(storage, folder + "/train-{000..001}.tar", ShardOptions.defaults(), pool)))
                .hasSize(4);
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> Shards.shard(storage, "a.txt", ShardOptions.defaults(), pool))
                .withMessageContaining("the formats are Arrow, JSON lines, MDS, NPY and NPZ, ")
                .withMessageContaining("TFRecord, WebDataset tar");
    }

    @Test
    void bracesAreExpandedAsShellsDo() {
        assertThat(BracePattern.expand("a-{008..011}.{tar,b{1,2}}"))
                .containsExactly(
                        "a-008.tar",
                        "a-008.b1",
                        "a-008.b2",
                        "a-009.tar",
                        "a-009.b1",
                        "a-009.b2",
                        "a-010.tar",
                        "a-010.b1",
                        "a-010.b2",
                        "a-011.tar",
                        "a-011.b1",
                        "a-011.b2");
        assertThat(BracePattern.expand("{9..11}")).containsExactly("9", "10", "11");
        assertThat(BracePattern.expand("{09..11}")).containsExactly("09", "10", "11");
        assertThat(BracePattern.expand("{098..0100}")).containsExactly("0098", "0099", "0100");
        assertThat(BracePattern.expand("{8..010}")).containsExactly("008", "009", "010");
        assertThat(BracePattern.expand("{0..2}")).containsExactly("0", "1", "2");
        assertThat(BracePattern.expand("plain")).containsExactly("plain");
        assertThat(BracePattern.expand("x{a,}y")).containsExactly("xay", "xy");
        for (String wrong : List.of("a{b", "{5..1}", "{0..99999999999}")) {
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> BracePattern.expand(wrong));
        }
    }

    @Test
    void inspectingTellsWhatAShardHolds() throws Exception {
        ShardSummary tar =
                Shards.inspect(storage, ShardFiles.tar(folder, 6, "pax").toString(), pool);

        assertThat(tar.samples()).isEqualTo(6);
        assertThat(tar.fields())
                .containsExactly(
                        new ShardSummary.FieldSummary("jpg", "", 6, 1500),
                        new ShardSummary.FieldSummary("seg.png", "", 6, 12),
                        new ShardSummary.FieldSummary("cls", "", 6, 6));
        assertThat(tar.bytes()).isEqualTo(1518);
        assertThat(Shards.inspect(storage, ShardFiles.tfRecords(folder, 4).toString(), pool)
                        .samples())
                .isEqualTo(4);
        assertThat(Shards.inspect(storage, ShardFiles.jsonLines(folder, 4).toString(), pool)
                        .fields())
                .extracting(ShardSummary.FieldSummary::name)
                .containsExactly("text", "n", "list");
        assertThat(Shards.inspect(storage, ShardFiles.npz(folder, 4).toString(), pool)
                        .fields())
                .extracting(ShardSummary.FieldSummary::kind)
                .containsExactly("UINT8 [12]", "INT64 [1]");
    }

    @Test
    void aSampleTooLargeIsRefusedBeforeMemoryIsTaken() throws Exception {
        Path shard = ShardFiles.tar(folder, 10, "pax");

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> texts(shard, ShardOptions.defaults().largestSample(500)))
                .withMessageContaining("more than the 500 that ShardOptions.largestSample allows");
    }

    @Test
    void anIndexTellsTheSizeAndATruncatedOneIsAnError() throws Exception {
        Path shard = ShardFiles.tar(folder, 2, "pax");
        Path index = folder.resolve("train-000.idx");
        assertThat(Shards.shard(storage, shard.toString(), ShardOptions.defaults(), pool)
                        .size())
                .isEmpty();

        ShardFile file = new ShardFile(storage, Location.of(shard), ShardOptions.defaults(), pool);
        Files.writeString(index, TarIndex.write(TarIndex.of(file).samples()));
        assertThat(Shards.shard(storage, shard.toString(), ShardOptions.defaults(), pool)
                        .size())
                .hasValue(2);
        for (String wrong : List.of(
                "",
                "v1.2 2\n",
                "v1.2 2\njpg 512 0 a.jpg\njpg 1024 0 b.jpg",
                "v1.2 1\njpg 1\n",
                "v1.2 1\njpg x 1 a\n")) {
            Files.writeString(index, wrong.isEmpty() ? "x" : wrong);
            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(() -> Shards.shard(storage, shard.toString(), ShardOptions.defaults(), pool)
                            .size())
                    .withMessageStartingWith(index + ": ");
        }
    }
}
