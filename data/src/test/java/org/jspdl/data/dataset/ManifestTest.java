package org.jspdl.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestTest {
    private static final Storage STORAGE = Storage.open();

    @TempDir
    Path folder;

    @Test
    void quotedValuesHoldSeparatorsQuotesAndLineBreaks() throws Exception {
        try (Manifest rows = open("a.csv", "file,label,text\r\na.jpg,1,\"x, \"\"y\"\"\nz\"\r\n\r\nb.jpg,2,\n")) {
            assertThat(rows.columns()).containsExactly("file", "label", "text");
            assertThat(rows.size()).isEqualTo(2);
            assertThat(rows.get(0).text("text")).isEqualTo("x, \"y\"\nz");
            assertThat(rows.get(1).text("text")).isEmpty();
            assertThat(rows.get(1).whole("label")).isEqualTo(2);
            assertThat(rows.get(0).location("file").text())
                    .isEqualTo(folder.resolve("a.jpg").toString());
        }
    }

    @Test
    void tabsSeparateAndAByteOrderMarkIsPassedOver() throws Exception {
        try (Manifest rows = open("a.tsv", "\uFEFFpath\tscore\nübung 1.wav\t-2.5e3")) {
            assertThat(rows.columns()).containsExactly("path", "score");
            assertThat(rows.get(0).text("path")).isEqualTo("übung 1.wav");
            assertThat(rows.get(0).decimal("score")).isEqualTo(-2500);
        }
    }

    @Test
    void jsonRowsMayHaveOtherKeysAndNestedValues() throws Exception {
        String text = """
                {"file": "a\\u00e9\\n.jpg", "label": 3, "box": [1, {"x": "]"}], "none": null}
                {"file": "b.jpg", "extra": true}
                """;
        try (Manifest rows = open("a.jsonl", text)) {
            assertThat(rows.size()).isEqualTo(2);
            assertThat(rows.get(0).text("file")).isEqualTo("aé\n.jpg");
            assertThat(rows.get(0).text("box")).isEqualTo("[1, {\"x\": \"]\"}]");
            assertThat(rows.get(0).find("none")).isEmpty();
            assertThat(rows.get(1).text("extra")).isEqualTo("true");
            assertThatThrownBy(() -> rows.get(1).text("label"))
                    .hasMessageContaining("row 2")
                    .hasMessageContaining("'label'")
                    .hasMessageContaining("[file, extra]");
            assertThatThrownBy(() -> rows.get(1).whole("file"))
                    .hasMessageContaining("a whole number")
                    .hasMessageContaining("'b.jpg'");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anyRowIsFoundAmongMany(long seed) throws Exception {
        Random random = new Random(seed);
        List<String> values = new ArrayList<>();
        StringBuilder text = new StringBuilder("n,value\n");
        for (int i = 0; i < 1_000; i++) {
            String value = random.ints(random.nextInt(12), 0, 6)
                    .mapToObj(c -> String.valueOf(",\"\n\rab".charAt(c)))
                    .reduce("", String::concat);
            values.add(value);
            text.append(i)
                    .append(",\"")
                    .append(value.replace("\"", "\"\""))
                    .append(random.nextBoolean() ? "\"\r\n" : "\"\n");
        }
        try (Manifest rows = open("many.csv", text.toString())) {
            assertThat(rows.size()).isEqualTo(1_000);
            for (int i = 0; i < 1_000; i++) {
                int row = random.nextInt(1_000);
                assertThat(rows.get(row).whole("n")).isEqualTo(row);
                assertThat(rows.get(row).text("value")).isEqualTo(values.get(row));
            }
        }
    }

    /// As in Python's `csv`: a quote that a value does not begin with is a character like others.
    @Test
    void aQuoteWithinAValueQuotesNothing() throws Exception {
        try (Manifest rows =
                open("inch.csv", "x,y\n5\" pipe,1\n6\" pipe,\"a\nb\"\n\"say \"\"x\"\"\",\"\"\n\"\"\"\",2\n")) {
            assertThat(rows.size()).isEqualTo(4);
            assertThat(rows.get(0).text("x")).isEqualTo("5\" pipe");
            assertThat(rows.get(1).text("y")).isEqualTo("a\nb");
            assertThat(rows.get(2).text("x")).isEqualTo("say \"x\"");
            assertThat(rows.get(2).text("y")).isEmpty();
            assertThat(rows.get(3).text("x")).isEqualTo("\"");
        }
        try (Manifest rows = open("one.tsv", "caption\n5\" pipe\na,\"b\nc\n")) {
            assertThat(rows.size()).isEqualTo(3);
            assertThat(rows.get(1).text("caption")).isEqualTo("a,\"b");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a.csv   | x,y~1         | row 1: 1 values for 2 columns",
                "a.csv   | x~\"a\"b      | behind a closing quote",
                "a.csv   | x~1^2          | row 1: a carriage return without a line feed, at character 2",
                "a.tsv   | x~1~2^3^       | row 2: a carriage return without a line feed, at character 2",
                "a.jsonl | {\"x\":1}~{x} | row 2: invalid JSON at line 1, column 2",
                "a.jsonl | {\"x\":1}~[1] | expected an object but found '['",
                "a.jsonl | {\"x\":1}~{\"x\":01} | must not begin with 0",
                "a.jsonl | {\"x\":1}~{\"x\":1} 2 | more text",
                "a.jsonl | {\"x\":1}~{\"x\":\"\\q\"} | unknown escape",
                "a.jsonl | {\"x\":1}~{\"x\":\"\\u12g4\"} | hexadecimal",
                "a.jsonl | {\"x\":1}~{\"x\":tru} | expected true",
                "a.jsonl | {\"x\":1}~{\"x\":1 | expected",
                "a.jsonl | {\"x\":1}~{\"x\":1,\"x\":2} | the name 'x' is there twice",
            })
    void aMalformedRowFailsAloneAndIsNamed(String name, String text, String reason) throws Exception {
        try (Manifest rows = open(name, text.replace('~', '\n').replace('^', '\r'))) {
            long last = rows.size() - 1;
            assertThatThrownBy(() -> rows.get(last))
                    .isInstanceOf(DatasetException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining(reason);
        }
    }

    @Test
    void numbersAreThoseThatOtherProgramsWrite() throws Exception {
        try (Manifest rows = open("n.csv", "x\n1d\n0x1p3\n1e3F\n+.5\n-Infinity\n 2 \n\n")) {
            for (int row : new int[] {0, 1, 2}) {
                assertThatThrownBy(() -> rows.get(row).decimal("x")).hasMessageContaining("a number");
            }
            assertThat(rows.get(3).decimal("x")).isEqualTo(0.5);
            assertThat(rows.get(4).decimal("x")).isNegative().isInfinite();
            assertThat(rows.get(5).decimal("x")).isEqualTo(2);
        }
        try (Manifest rows = open("n.jsonl", "{\"x\": NaN}\n{\"x\": -Infinity}\n")) {
            assertThat(rows.get(0).decimal("x")).isNaN();
            assertThat(rows.get(1).decimal("x")).isNegative().isInfinite();
        }
    }

    @Test
    void nestingIsBounded() throws Exception {
        try (Manifest rows = open("deep.jsonl", "{\"x\":1}\n{\"x\":" + "[".repeat(100_000) + "}")) {
            assertThatThrownBy(() -> rows.get(1)).hasMessageContaining("64 levels");
        }
    }

    @Test
    void whatIsNoManifestIsRefusedWithTheReason() throws Exception {
        assertThatThrownBy(() -> open("a.csv", "")).hasMessageContaining("is empty");
        assertThatThrownBy(() -> open("a.txt", "x")).hasMessageContaining(".jsonl");
        assertThatThrownBy(() -> open("a.csv", "x,x\n1,2")).hasMessageContaining("twice");
        assertThatThrownBy(() -> open("mac.csv", "x,y\r1,2\r")).hasMessageContaining("header: a carriage return");
        assertThatThrownBy(() -> open("a.csv", "x\n\"never closed\n")).hasMessageContaining("never closed");
        Path binary = Files.write(folder.resolve("b.csv"), new byte[] {(byte) 0xFF, (byte) 0xD8, '\n', 1});
        assertThatThrownBy(() -> Manifest.open(STORAGE, binary.toString())).hasMessageContaining("not UTF-8");
    }

    @Test
    void columnsOfFilesAndClassesMakeADataset() throws Exception {
        Path manifest = write("train.csv", "id,File_Name,category\n1,a.jpg,dog\n2,sub/b.jpg,cat\n3,s3://b/c.jpg,dog\n");

        LabeledFiles files = LabeledFiles.open(STORAGE, manifest.toString());

        assertThat(files.classes()).containsExactly("cat", "dog");
        assertThat(files.labels()).containsExactly(1, 0, 1);
        assertThat(files.location(1)).isEqualTo(Location.of(folder.resolve("sub/b.jpg")));
        assertThat(files.get(2)).isEqualTo(new LabeledFile(Location.of("s3://b/c.jpg"), 1));
        Path without = write("no.csv", "id,category\n1,dog\n");
        assertThatThrownBy(() -> LabeledFiles.open(STORAGE, without.toString()))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("no column for the file")
                .hasMessageContaining("[id, category]");
    }

    @Test
    void twoColumnsOfClassesAreTakenOnlyWhereTheySayTheSame() throws Exception {
        Path same = write("same.csv", "file,label_id,label\na.jpg,7,cat\nb.jpg,3,dog\nc.jpg,7,cat\n");
        Path coarse = write("coarse.csv", "file,label,category\na.jpg,cat,animal\nb.jpg,dog,animal\n");
        Path fine = write("fine.jsonl", """
                {"file": "a.jpg", "class": "animal", "target": "cat"}
                {"file": "b.jpg", "class": "animal", "target": "dog"}
                """);

        assertThat(LabeledFiles.open(STORAGE, same.toString()).classes()).containsExactly("cat", "dog");
        for (Path manifest : List.of(coarse, fine)) {
            assertThatThrownBy(() -> LabeledFiles.open(STORAGE, manifest.toString()))
                    .isInstanceOf(DatasetException.class)
                    .hasMessageContaining(manifest.toString())
                    .hasMessageContaining("two columns for the class")
                    .hasMessageContaining("in row 2 of 2");
        }
    }

    @Test
    void aClassBehindRowsWithoutOneIsRefused() throws Exception {
        Path manifest = write("late.jsonl", """
                {"file": "a.jpg"}
                {"file": "b.jpg", "label": "dog"}
                """);

        assertThatThrownBy(() -> LabeledFiles.open(STORAGE, manifest.toString()))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("row 2 of the manifest has a class in 'label'");
    }

    @Test
    void rowsComeInOrderAsAStream() throws Exception {
        try (Manifest rows = open("a.csv", "x\n1\n2\n3\n")) {
            List<Long> numbers = new ArrayList<>();
            rows.rows().open(0).forEachRemaining(row -> numbers.add(row.whole("x")));
            assertThat(numbers).containsExactly(1L, 2L, 3L);
        }
    }

    private Manifest open(String name, String text) throws Exception {
        return Manifest.open(STORAGE, write(name, text).toString());
    }

    private Path write(String name, String text) throws Exception {
        return Files.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8));
    }
}
