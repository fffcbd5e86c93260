package org.jspdl.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.pack.FileInput;
import org.jspdl.data.shards.pack.FileRows;
import org.jspdl.data.shards.pack.PackFormat;
import org.jspdl.data.shards.pack.PackInput;
import org.jspdl.data.shards.pack.PackResult;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.shards.pack.ShardCheck;
import org.jspdl.data.shards.pack.ShardInput;
import org.jspdl.data.shards.pack.ShardPacker;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `jspdl pack --format parquet` writes, read by DuckDB and by our own reader.
class PackParquetTest {
    @TempDir
    Path folder;

    private Storage storage;
    private BufferPool pool;

    @BeforeEach
    void open() {
        storage = Storage.open();
        pool = BufferPool.unbounded("rows");
    }

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private PackResult packed(PackInput<?> input, String name, int samples, List<String> classes) throws IOException {
        PackFormat parquet = PackFormat.named("parquet").orElseThrow();
        PackSettings settings = PackSettings.of(folder.resolve(name), "set")
                .limits(samples, 1 << 30)
                .format(parquet, classes);
        PackResult result = ShardPacker.pack(input, settings, storage, _ -> {});
        ShardCheck.check(input, settings, storage, _ -> {});
        return result;
    }

    private ShardInput shards(Path file) throws IOException {
        return new ShardInput(
                Shards.open(storage, file.toString(), ShardOptions.defaults(), pool), List.of(Location.of(file)));
    }

    @Test
    void filesBecomeTheImagesAndLabelsOfHuggingFace() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            // some are larger than a page
            byte[] content = new byte[i % 10 == 3 ? 1_500_000 : 1 + random.nextInt(3_000)];
            random.nextBytes(content);
            String name = "f%02d.jpg".formatted(i);
            Files.write(
                    Files.createDirectories(folder.resolve("files/class " + i / 20))
                            .resolve(name),
                    content);
            expected.add(i / 20 + " " + name + " " + md5(content));
        }
        LabeledFiles files = LabeledFiles.open(storage, folder.resolve("files").toString());
        FileRows rows = new FileRows(
                new FileInput(files, Samplers.sequential(files.size()), storage, pool, 1 << 24),
                PackFormat.named("parquet").orElseThrow());

        PackResult result = packed(rows, "hf", 15, files.classes());

        assertThat(result.shards()).isEqualTo(3);
        try (DuckDb duck = new DuckDb()) {
            assertThat(duck.column("select label || ' ' || image.path || ' ' || md5(image.bytes) from read_parquet('"
                            + folder.resolve("hf") + "/set-*.parquet') order by image.path"))
                    .isEqualTo(expected);
        }
        assertThat(Shards.schema(storage, Location.of(folder.resolve("hf/set-000000.parquet")), pool)
                        .classes())
                .containsExactly("class 0", "class 1");
    }

    private static String md5(byte[] content) throws Exception {
        return HexFormat.of()
                .formatHex(java.security.MessageDigest.getInstance("MD5").digest(content))
                .toLowerCase(Locale.ROOT);
    }

    @Test
    void missingFieldsAreNullAndNumbersKeepTheirValues() throws Exception {
        try (DuckDb duck = new DuckDb()) {
            Path source = duck.write("""
                    select i::int8 as a, i::uint64 + 18446744073709551000 as u, i / 3::float as f, i / 7 as d,
                        case when i % 3 = 0 then null else 'text ' || i end as caption,
                        case when i % 5 = 0 then null else {'x': case when i % 2 = 0 then null else i end, 'y': 'v' || i} end as s
                    from range(0, 100) t(i)""", folder.resolve("source.parquet"), "");

            packed(shards(source), "copy", 1_000, List.of());

            String columns = "select coalesce(a::text, '-') || ' ' || u || ' ' || f || ' ' || d || ' '"
                    + " || coalesce(caption, '-') || ' ' || (s is null) || ' ' || coalesce(s.x::text, '-')"
                    + " from read_parquet('%s') order by a";
            String text = columns.formatted(folder.resolve("copy/set-000000.parquet"));
            assertThat(duck.column(text)).hasSize(100).isEqualTo(duck.column(columns.formatted(source)));
            assertThat(duck.column("select typeof(caption) || typeof(u) from read_parquet('"
                            + folder.resolve("copy/set-000000.parquet") + "') limit 1"))
                    .containsExactly("VARCHARUBIGINT");
        }
    }

    @Test
    void aFieldThatIsAColumnAndAStructureIsRefused() throws Exception {
        Path lines = folder.resolve("a.jsonl");
        Files.write(lines, "{\"x\": \"1\", \"x.y\": \"2\"}\n".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> packed(shards(lines), "no", 10, List.of()))
                .hasStackTraceContaining("'x' would be a column and a structure");
        assertThat(folder.resolve("no/set-000000.parquet")).doesNotExist();
    }

    @Test
    void largeShardsHaveSeveralRowGroups() throws Exception {
        try (DuckDb duck = new DuckDb()) {
            Path source = duck.write(
                    "select i, repeat(chr((97 + i % 26)::int), 3000000) as body from range(0, 50) t(i)",
                    folder.resolve("source.parquet"), "");

            packed(shards(source), "large", 1_000, List.of());

            String large = folder.resolve("large/set-000000.parquet").toString();
            assertThat(duck.column("select count(distinct row_group_id) from parquet_metadata('" + large + "')"))
                    .containsExactly("3");
            assertThat(duck.column("select i || ' ' || md5(body) from read_parquet('" + large + "') order by i"))
                    .isEqualTo(
                            duck.column("select i || ' ' || md5(body) from read_parquet('" + source + "') order by i"));
        }
    }
}
