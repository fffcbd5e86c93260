package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.ShardStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Folders called `name=value`, whose names say something of the samples in them.
class FolderValuesTest {
    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("shards", 1 << 26);

    @BeforeEach
    void write() throws Exception {
        write("run=5/table/year=2025/lang=de%2Fat/part-0.jsonl", "{\"n\": 1}\n{\"n\": 2}\n");
        write("run=5/table/year=2026/lang=__HIVE_DEFAULT_PARTITION__/part-0.jsonl", "{\"n\": 3}\n");
        write("run=5/table/year=2026/lang=/part-0.jsonl", "{\"n\": 4}\n");
        write("run=5/table/year=2026/lang=100%/part-0.jsonl", "{\"n\": 5, \"year\": \"own\"}\n");
    }

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private void write(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private ShardStream<ShardSample> open(String pattern, String... columns) throws Exception {
        ShardOptions options = ShardOptions.defaults();
        return Shards.open(
                storage,
                folder.resolve(pattern).toString(),
                columns.length == 0 ? options : options.columns(columns),
                pool);
    }

    private static List<String> read(ShardStream<ShardSample> stream, Position from) throws Exception {
        List<String> read = new ArrayList<>();
        try (Cursor<ShardSample> cursor = stream.open(0, from)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    StringBuilder fields = new StringBuilder();
                    sample.names()
                            .forEach(name ->
                                    fields.append(' ').append(name).append('=').append(sample.text(name)));
                    read.add(fields.substring(1));
                }
            }
        }
        return read;
    }

    @Test
    void areFieldsOfTextUnlessTheShardHasThem() throws Exception {
        assertThat(read(open("run=5/table"), Position.START))
                .containsExactlyInAnyOrder(
                        "n=1 year=2025 lang=de/at",
                        "n=2 year=2025 lang=de/at",
                        "n=3 year=2026",
                        "n=4 year=2026 lang=",
                        "n=5 year=own lang=100%");
        assertThat(read(open("run=5/table/year=2025/lang=de%2Fat/part-0.jsonl"), Position.START))
                .containsExactly("n=1 year=2025 lang=de/at", "n=2 year=2025 lang=de/at");
    }

    @Test
    void areReadWhenTheyAreWanted() throws Exception {
        assertThat(read(open("run=5/table/year=2025", "n", "year"), Position.START))
                .containsExactly("n=1 year=2025", "n=2 year=2025");
        assertThat(read(open("run=5/table/year=2025", "n"), Position.START)).containsExactly("n=1", "n=2");
        assertThatThrownBy(() -> open("run=5/table/year=2025", "year", "lang"))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("names of folders alone");
    }

    @Test
    void areTheSameWhetherColumnsAreNamedOrNot() throws Exception {
        assertThat(read(open("run=5/table", "n", "year", "lang"), Position.START))
                .containsExactlyInAnyOrderElementsOf(read(open("run=5/table"), Position.START));
        assertThat(read(open("run=5/table/year=2026", "n", "year"), Position.START))
                .containsExactlyInAnyOrder("n=3 year=2026", "n=4 year=2026", "n=5 year=own");
    }

    @Test
    void areThereWhenAReadGoesOnWhereItWas() throws Exception {
        ShardStream<ShardSample> stream = open("run=5/table/year=2025");
        Position second;
        try (Cursor<ShardSample> cursor = stream.open(0, Position.START)) {
            assertThat(cursor.advance()).isTrue();
            cursor.item().close();
            second = cursor.position();
        }

        assertThat(read(stream, second)).containsExactly("n=2 year=2025 lang=de/at");
    }

    @Test
    void nameNothingInFoldersThatAreCalledOtherwise() {
        assertThat(FolderValues.of(Location.of("s3://b/x=1/data/a.parquet")).fields())
                .isEmpty();
        assertThat(FolderValues.of(Location.of("/=1/a.parquet")).fields()).isEmpty();
        assertThat(FolderValues.of(Location.of("x=1.parquet")).fields()).isEmpty();
        assertThat(FolderValues.of(Location.of("s3://b/x=1/y=a=b/a.parquet")).fields())
                .containsOnlyKeys("x", "y");
        assertThat(FolderValues.of(Location.of("https://h/d/x=1/a.parquet?sig=a/b=c"))
                        .fields())
                .containsOnlyKeys("x");
    }
}
