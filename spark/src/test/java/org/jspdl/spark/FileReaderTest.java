package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspdl.spark.internal.ReadOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Folders, lists and manifests of files as rows, without a session.
class FileReaderTest {
    private static final int ANY = Integer.MAX_VALUE;

    @TempDir
    Path folder;

    private ReadOptions options(Path path) {
        return Datasets.options(path, "samplesPerPartition", "4");
    }

    private static StructType columns(String... names) {
        StructType columns = new StructType();
        for (String name : names) {
            columns = columns.add(
                    name, name.equals("label") || name.equals("_index") ? DataTypes.LongType : DataTypes.StringType);
        }
        return columns;
    }

    @Test
    void aFolderHasNamesClassesAndContents() throws Exception {
        Datasets.files(folder, 10);
        StructType schema = Layout.of(options(folder)).schema();

        List<String> rows = Datasets.read(
                options(folder),
                schema,
                ANY,
                row -> row.getString(0) + " " + row.getLong(1) + " " + row.getString(2) + " " + row.getBinary(3).length
                        + " " + row.getBinary(3)[0]);

        assertThat(schema.simpleString()).isEqualTo("struct<key:string,label:bigint,class:string,bytes:binary>");
        assertThat(rows)
                .containsExactly(
                        "cat/0000.jpg 0 cat 1 0",
                        "cat/0003.jpg 0 cat 4 3",
                        "cat/0006.jpg 0 cat 7 6",
                        "cat/0009.jpg 0 cat 10 9",
                        "dog/0001.jpg 1 dog 2 1",
                        "dog/0004.jpg 1 dog 5 4",
                        "dog/0007.jpg 1 dog 8 7",
                        "owl/0002.jpg 2 owl 3 2",
                        "owl/0005.jpg 2 owl 6 5",
                        "owl/0008.jpg 2 owl 9 8");
    }

    @Test
    void withoutABytesColumnNoFileIsOpened() throws Exception {
        Datasets.files(folder, 10);
        List<Piece> pieces = Layout.of(options(folder)).partitions();
        Files.delete(folder.resolve("cat/0003.jpg"));

        try (PartitionReader<InternalRow> reader =
                Datasets.open(pieces.getFirst(), columns("key", "_index"), options(folder), ANY)) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).isTrue();
            assertThat(reader.get().getString(0)).isEqualTo("cat/0003.jpg");
            assertThat(reader.get().getLong(1)).isEqualTo(1);
        }
    }

    @Test
    void aFileThatIsGoneEndsTheTaskOrIsLeftOutAndCounted() throws Exception {
        Datasets.files(folder, 10);
        Piece piece = Layout.of(options(folder)).partitions().getFirst();
        Files.delete(folder.resolve("cat/0003.jpg"));
        StructType columns = new StructType().add("bytes", DataTypes.BinaryType).add("_index", DataTypes.LongType);

        try (PartitionReader<InternalRow> reader = Datasets.open(piece, columns, options(folder), ANY)) {
            assertThatThrownBy(() -> {
                        while (reader.next()) {
                            reader.get();
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("0003.jpg");
        }
        try (PartitionReader<InternalRow> reader =
                Datasets.open(piece, columns, Datasets.options(folder, "failures", "skip"), ANY)) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).isTrue();
            assertThat(reader.get().getLong(1)).isEqualTo(2);
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).isFalse();
            assertThat(reader.currentMetricsValues()[0].value()).isEqualTo(3);
            assertThat(reader.currentMetricsValues()[2].value()).isEqualTo(1);
        }
    }

    @Test
    void aLimitEndsEachPiece() throws Exception {
        Datasets.files(folder, 10);
        StructType columns = new StructType().add("bytes", DataTypes.BinaryType).add("_index", DataTypes.LongType);

        assertThat(Datasets.read(options(folder), columns, 1, row -> row.getLong(1)))
                .containsExactly(0L, 4L, 8L);
    }

    @Test
    void filesWithoutClassesHaveNone() throws Exception {
        Datasets.files(folder.resolve("all"), 3);
        Files.writeString(folder.resolve("list.txt"), "all/cat/0000.jpg\nall/dog/0001.jpg\n");

        assertThat(Datasets.read(
                        options(folder.resolve("list.txt")),
                        columns("key", "label", "class"),
                        ANY,
                        row -> row.getString(0) + row.isNullAt(1) + row.isNullAt(2)))
                .containsExactly("all/cat/0000.jpgtruetrue", "all/dog/0001.jpgtruetrue");
    }

    @Test
    void piecesCanBeSentAndShowNoPasswords() throws Exception {
        FilePiece piece =
                new FilePiece("https://me:secret@host/data", 0, new byte[] {'a', 0}, new int[] {1}, List.of());

        FilePiece copy = ShardReaderTest.copied(piece);

        assertThat(copy.nameList()).containsExactly("a");
        assertThat(copy.labels()).containsExactly(1);
        assertThat(copy.toString()).contains("host").doesNotContain("secret");
        assertThat(new ShardPiece("https://me:secret@host/a.tar?token=1", 0, 1).toString())
                .doesNotContain("secret")
                .doesNotContain("token");
    }

    @Test
    void anUnknownColumnIsNamed() throws Exception {
        Datasets.files(folder, 3);

        assertThatThrownBy(() -> Datasets.read(options(folder), columns("name"), ANY, row -> row))
                .hasMessageContaining("has the columns key, label, class and bytes")
                .hasMessageContaining("no 'name'");
    }
}
