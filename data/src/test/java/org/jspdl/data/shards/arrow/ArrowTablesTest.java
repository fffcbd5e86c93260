package org.jspdl.data.shards.arrow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspdl.data.shards.ShardFailures;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.json.Json;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables that pyarrow wrote, of random schemas, nested, nullable and compressed: every value is the one that went in,
/// or the row is refused because of what an array cannot hold. `resources/arrow/make.py` writes them.
class ArrowTablesTest {
    private static final int TABLES = 60;

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("arrow", 1 << 26);

    @BeforeEach
    void unpack() throws IOException {
        try (InputStream packed = requireNonNull(getClass().getResourceAsStream("/arrow/tables.zip"));
                ZipInputStream tables = new ZipInputStream(packed)) {
            for (ZipEntry each = tables.getNextEntry(); each != null; each = tables.getNextEntry()) {
                Path file = folder.resolve(each.getName());
                Files.createDirectories(requireNonNull(file.getParent()));
                Files.copy(tables, file);
            }
        }
    }

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private Source<ShardSample> table(Path file, ShardFailures failures) throws IOException {
        return Shards.shard(storage, file.toString(), ShardOptions.defaults().failures(failures), pool);
    }

    /// The fields of a sample as the expectation has them.
    private static Map<String, Object> fields(ShardSample sample) {
        Map<String, Object> fields = new java.util.LinkedHashMap<>();
        for (String name : sample.names()) {
            boolean array = sample.isArray(name);
            List<Object> shape = new ArrayList<>();
            if (array) {
                Arrays.stream(sample.array(name).shape().extents()).forEach(shape::add);
            }
            String type = array ? sample.elementType(name).orElseThrow().name() : "";
            String hex = HexFormat.of().formatHex(sample.bytes(name).toArray(ValueLayout.JAVA_BYTE));
            fields.put(name, List.of(type, shape, hex));
        }
        return fields;
    }

    private void assertHoldsWhatWentIn(Path file) throws Exception {
        List<String> expected = Files.readAllLines(Path.of(file.toString().replace(".arrow", ".json")));
        TreeSet<Long> refused = new TreeSet<>();
        Source<ShardSample> source =
                table(file, ShardFailures.skip(Long.MAX_VALUE, broken -> refused.add(broken.index())));
        assertThat(source.size()).as("%s", file).hasValue(expected.size());
        try (Cursor<ShardSample> rows = source.open(0, Position.START)) {
            while (rows.advance()) {
                try (ShardSample row = rows.item()) {
                    Object wanted = Json.parse(expected.get((int) row.index()));
                    Map<String, Object> bytes = textsAsBytes(requireNonNull(wanted));
                    assertThat(fields(row)).as("%s, row %d", file, row.index()).isEqualTo(bytes);
                }
            }
        }
        for (int row = 0; row < expected.size(); row++) {
            assertThat(refused.contains((long) row))
                    .as("%s, row %d", file, row)
                    .isEqualTo(expected.get(row).equals("null"));
        }
    }

    /// A list of texts has no elements of one size, and so no shape of its own; its lengths do.
    private static Map<String, Object> textsAsBytes(Object row) {
        assertThat(row).as("a row that should have been refused").isNotNull();
        Map<String, Object> fields = new java.util.LinkedHashMap<>();
        assertThat(row)
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, List.class))
                .allSatisfy((name, field) ->
                        fields.put(name, field.get(0).equals("") ? List.of("", List.of(), field.get(2)) : field));
        return fields;
    }

    @Test
    void everyValueIsTheOneThatWentIn() throws Exception {
        for (int table = 0; table < TABLES; table++) {
            assertHoldsWhatWentIn(folder.resolve(table + ".arrow"));
        }
        assertThat(pool.outstanding()).isZero();
    }

    /// 1,000 tables, or `-Djspdl.campaign.count=N`; needs pyarrow and numpy.
    @Test
    @Tag("campaign")
    void everyValueOfAThousandTablesIsTheOneThatWentIn() throws Exception {
        int first = Integer.getInteger("jspdl.campaign.seed", 1_000);
        int count = Integer.getInteger("jspdl.campaign.count", 1_000);
        Path script = folder.resolve("make.py");
        try (InputStream text = requireNonNull(getClass().getResourceAsStream("/arrow/make.py"))) {
            Files.copy(text, script);
        }
        Process made = new ProcessBuilder(
                        Requires.python("pyarrow", "numpy"),
                        script.toString(),
                        folder.toString(),
                        String.valueOf(first),
                        String.valueOf(count))
                .inheritIO()
                .start();
        assertThat(made.waitFor()).isZero();
        for (int table = first; table < first + count; table++) {
            assertHoldsWhatWentIn(folder.resolve(table + ".arrow"));
        }
    }

    @Test
    void aRowIsFoundFromAnywhere() throws Exception {
        for (int number = 0; number < TABLES; number += 7) {
            Path file = folder.resolve(number + ".arrow");
            Source<ShardSample> source = table(file, ShardFailures.skip(Long.MAX_VALUE, _ -> {}));
            List<Map<String, Object>> all = rows(source, 0);
            long size = source.size().orElseThrow();
            for (long from : new long[] {1, size / 2, size - 1, size}) {
                if (from >= 0 && from <= size) {
                    List<Map<String, Object>> rest = rows(source, from);
                    assertThat(rest)
                            .as("%s from %d", file, from)
                            .isEqualTo(all.subList(all.size() - rest.size(), all.size()));
                }
            }
        }
    }

    private static List<Map<String, Object>> rows(Source<ShardSample> source, long from) throws Exception {
        List<Map<String, Object>> all = new ArrayList<>();
        try (Cursor<ShardSample> cursor = source.open(0, Position.at(from))) {
            while (cursor.advance()) {
                try (ShardSample row = cursor.item()) {
                    all.add(fields(row));
                }
            }
        }
        return all;
    }

    @Test
    void buffersOfManyBlocksAreDecompressed() throws Exception {
        for (String codec : List.of("lz4", "zstd")) {
            try (Cursor<ShardSample> cursor = table(folder.resolve("long-" + codec + ".arrow"), ShardFailures.fail())
                    .open(0, Position.START)) {
                long row = 0;
                for (; cursor.advance(); row++) {
                    try (ShardSample sample = cursor.item()) {
                        assertThat(sample.number("n")).isEqualTo(row * (row / 1000));
                    }
                }
                assertThat(row).isEqualTo(20_000);
            }
        }
    }

    @Test
    void aDatasetOfHuggingFaceSaysWhatItsColumnsMean() throws Exception {
        Location file = Location.of(folder.resolve("saved/train/data-00000-of-00001.arrow"));

        ShardSchema schema = Shards.schema(storage, file, pool);

        assertThat(schema.imageColumns()).containsExactly("image.bytes", "label");
        assertThat(schema.classes()).containsExactly("cat", "dog");
        var summary = Shards.inspect(storage, file, pool);
        assertThat(summary.samples()).isEqualTo(5);
        assertThat(summary.traits()).containsEntry("kind", "stream").containsEntry("images", "image.bytes");
        Source<ShardSample> source =
                Shards.shard(storage, file.toString(), ShardOptions.defaults().columns("image.bytes", "label"), pool);
        try (Cursor<ShardSample> cursor = source.open(0, Position.at(3))) {
            assertThat(cursor.advance()).isTrue();
            try (ShardSample sample = cursor.item()) {
                assertThat(sample.names()).containsExactly("image.bytes", "label");
                assertThat(sample.text("image.bytes")).startsWith("BM");
                assertThat(sample.number("label")).isEqualTo(1);
            }
        }
    }

    @Test
    void aColumnThatIsNotThereIsRefusedByName() {
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> Shards.shard(
                                storage,
                                folder.resolve("long-lz4.arrow").toString(),
                                ShardOptions.defaults().columns("m"),
                                pool)
                        .open(0, Position.START))
                .withMessageContaining("there is no column 'm', only [n]");
    }

    @Test
    void whatIsNoArrowIsRefused() throws Exception {
        for (byte[] content :
                new byte[][] {{}, {1, 2}, new byte[100], "ARROW1 and no more".getBytes(StandardCharsets.UTF_8)}) {
            Path file = Files.write(folder.resolve("none.arrow"), content);
            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(() -> table(file, ShardFailures.fail()).open(0, Position.START))
                    .withMessageContaining("Arrow: ");
        }
    }
}
