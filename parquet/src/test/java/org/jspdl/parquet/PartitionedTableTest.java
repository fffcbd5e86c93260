package org.jspdl.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables in folders called `name=value`, as DuckDB writes them.
class PartitionedTableTest {
    @TempDir
    Path folder;

    @Test
    void hasTheRowsThatDuckDbReadsWithTheirFoldersAsFields() throws Exception {
        Path table = folder.resolve("table");
        List<String> expected;
        try (DuckDb duck = new DuckDb()) {
            duck.write(
                    "SELECT range AS n, 2020 + range % 3 AS year, CASE range % 4 WHEN 0 THEN 'a/b' WHEN 1 THEN NULL WHEN 2"
                            + " THEN 'ü x' ELSE 'c=d' END AS lang FROM range(40)",
                    table, ", PARTITION_BY (year, lang)");
            expected = duck.column("SELECT n || ' ' || year || ' ' || coalesce(lang, 'no') FROM read_parquet('" + table
                    + "/**/*.parquet', hive_partitioning = true, hive_types_autocast = false)");
        }
        List<String> read = new ArrayList<>();
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("table", 1 << 26);
                Cursor<ShardSample> cursor = Shards.open(storage, table.toString(), ShardOptions.defaults(), pool)
                        .open(0, Position.START)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    read.add(sample.number("n") + " " + sample.number("year") + " "
                            + (sample.has("lang") ? sample.text("lang") : "no"));
                }
            }
        }

        assertThat(expected).hasSize(40);
        assertThat(read).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "n,year", "year,n"})
    void aColumnOfTheFileGoesBeforeAFolderOfItsNameWhicheverColumnsAreNamed(String columns) throws Exception {
        Path table = folder.resolve("table");
        try (DuckDb duck = new DuckDb()) {
            duck.write("SELECT 1 AS n, 7 AS year", made(table.resolve("year=2020")), "");
            duck.write("SELECT 2 AS n", made(table.resolve("year=2021")), "");
        }
        ShardOptions options = ShardOptions.defaults();
        options = columns.isEmpty() ? options : options.columns(columns.split(","));
        List<String> read = new ArrayList<>();
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("table", 1 << 26);
                Cursor<ShardSample> cursor =
                        Shards.open(storage, table.toString(), options, pool).open(0, Position.START)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    read.add(sample.number("n") + " " + sample.number("year"));
                }
            }
        }

        assertThat(read).containsExactly("1 7", "2 2021");
    }

    private static Path made(Path folder) throws Exception {
        return Files.createDirectories(folder).resolve("a.parquet");
    }
}
