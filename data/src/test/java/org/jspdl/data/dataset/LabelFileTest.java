package org.jspdl.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Labels from a file, for a folder of three files.
class LabelFileTest {
    private static final Storage STORAGE = Storage.open();

    @TempDir
    Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        for (String name : new String[] {"a.jpg", "b.jpg", "c.jpg"}) {
            Files.createDirectories(folder.resolve("data"));
            Files.writeString(folder.resolve("data/" + name), name);
        }
    }

    private LabeledFiles labeled(String name, String content) throws IOException {
        Path labels = Files.writeString(folder.resolve(name), content);
        return LabeledFiles.images(STORAGE, folder.resolve("data").toString()).relabeled(STORAGE, Location.of(labels));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels.csv   | file,label\\nc.jpg,dog\\na.jpg,dog\\nb.jpg,cat
            labels.tsv   | path\\tclass\\nc.jpg\\tdog\\na.jpg\\tdog\\nb.jpg\\tcat
            labels.jsonl | {"file":"c.jpg","label":"dog"}\\n{"file":"./a.jpg","label":"dog"}\\n{"file":"b.jpg","label":"cat"}
            labels.json  | {"c.jpg": "dog", "a.jpg": "dog", "b.jpg": "cat"}
            """)
    void filesKeepTheirOrderAndGetTheLabelsOfTheFile(String name, String content) throws IOException {
        LabeledFiles files = labeled(name, content.replace("\\n", "\n").replace("\\t", "\t"));

        assertThat(files.classes()).containsExactly("cat", "dog");
        assertThat(files.labels()).containsExactly(1, 0, 1);
        assertThat(files.name(2)).isEqualTo("c.jpg");
        assertThat(files.location(2).path()).isEqualTo(folder.resolve("data/c.jpg"));
    }

    @Test
    void numbersAreKept() throws IOException {
        LabeledFiles files = labeled("labels.json", "{\"c.jpg\": 7, \"a.jpg\": 0, \"b.jpg\": \"12\"}");

        assertThat(files.classes()).isEmpty();
        assertThat(files.labels()).containsExactly(0, 12, 7);
    }

    @Test
    void whatDoesNotMatchIsNamed() {
        assertThatThrownBy(() -> labeled("labels.csv", "file,label\na.jpg,1\n"))
                .hasMessageContaining("have none for 2 of the 3 files")
                .hasMessageContaining("such as 'b.jpg'");
        assertThatThrownBy(() -> labeled("labels.csv", "file,label\na.jpg,1\nb.jpg,1\nc.jpg,1\n./a.jpg,2\n"))
                .hasMessageContaining("name the file 'a.jpg' twice");
        assertThatThrownBy(() -> labeled("labels.csv", "file,label\na.jpg,1\nb.jpg,1\nc.jpg,1\nd.jpg,2\n"))
                .hasMessageContaining("name 1 file that is not in")
                .hasMessageEndingWith("such as 'd.jpg'");
        assertThatThrownBy(() -> labeled("labels.json", "{\"a.jpg\": 1, \"a.jpg\": 2}"))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> labeled("labels.json", "{\"a.jpg\": [1]}"))
                .hasMessageContaining("must be a JSON object of names of files");
        assertThatThrownBy(() -> labeled("labels.csv", "file,color\na.jpg,1\n"))
                .hasMessageContaining("has no column for its class");
        assertThatThrownBy(() -> labeled("labels.xml", "")).isInstanceOf(DatasetException.class);
    }
}
