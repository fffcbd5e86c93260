package org.jspdl.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Folders and lists as people have them, without labels and with what does not belong there.
class UnlabeledFilesTest {
    private static final byte[] PNG = {
        (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'
    };

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();

    @AfterEach
    void close() {
        storage.close();
    }

    private LabeledFiles images(Path location) throws Exception {
        return LabeledFiles.images(storage, location.toString());
    }

    private Path file(String name) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, PNG);
    }

    private static List<String> names(LabeledFiles files) {
        List<String> names = new ArrayList<>();
        for (long i = 0; i < files.size(); i++) {
            String text = files.location(i).text();
            names.add(text.substring(text.lastIndexOf('/') + 1) + " " + files.label(i));
        }
        return names;
    }

    @Test
    void aFlatFolderLoadsWithoutLabels() throws Exception {
        file("b.png");
        file("a.jpg");
        file("extensionless");
        Files.writeString(folder.resolve("notes.txt"), "no image");
        file(".hidden.png");
        Files.createDirectory(folder.resolve("annotations"));

        LabeledFiles files = images(folder);

        assertThat(names(files)).containsExactly("a.jpg -1", "b.png -1", "extensionless -1");
        assertThat(files.classes()).isEmpty();
        assertThat(files.labels()).containsOnly(LabeledFiles.NO_LABEL);
        assertThat(files.leftOut().files()).isEqualTo(1);
    }

    /// torchvision numbers every sub-folder in the order of their names, also those without images, and takes files
    /// at any depth.
    @Test
    void classNumbersAreThoseOfAllSubFoldersInOrder() throws Exception {
        file("zebra/deep/er/z.png");
        file("Cat/c.png");
        Files.createDirectory(folder.resolve("empty"));
        file("cat-2/d.png");
        file("cat/e.png");

        LabeledFiles files = images(folder);

        assertThat(files.classes()).containsExactly("Cat", "cat", "cat-2", "empty", "zebra");
        assertThat(names(files)).containsExactly("c.png 0", "e.png 1", "d.png 2", "z.png 4");
    }

    /// As Python compares texts. UTF-16 would have the smiling face (U+1F600) before the ligature (U+FB01).
    @Test
    void classesAreNumberedInTheOrderOfTheirCodePoints() throws Exception {
        file("\uD83D\uDE00/a.png");
        file("\uFB01ne/b.png");
        file("\uFF21/c.png");

        LabeledFiles files = images(folder);

        assertThat(files.classes()).containsExactly("\uFB01ne", "\uFF21", "\uD83D\uDE00");
        assertThat(names(files)).containsExactly("b.png 0", "c.png 1", "a.png 2");
    }

    @Test
    void aListOfPathsAloneLoadsWithoutLabels() throws Exception {
        Path list = Files.writeString(folder.resolve("list.txt"), "\uFEFFa b.jpg\n\nsub/c.PNG\n");

        assertThat(names(images(list))).containsExactly("a b.jpg -1", "c.PNG -1");
    }

    @Test
    void aListInWhichSomeLinesHaveLabelsIsRefused() throws Exception {
        Path list = Files.writeString(folder.resolve("list.txt"), "a.jpg 3\nb.jpg\n");
        Path other = Files.writeString(folder.resolve("other.txt"), "b.jpg\na.jpg 3\n");

        for (Path each : List.of(list, other)) {
            assertThatExceptionOfType(DatasetException.class)
                    .isThrownBy(() -> images(each))
                    .withMessageContaining("line 2: some lines have a label and others have none");
        }
    }

    @Test
    void aManifestOfFilesAloneLoadsWithoutLabels() throws Exception {
        Path csv = Files.writeString(folder.resolve("m.csv"), "\uFEFFfile\na.jpg\nb.jpg\n");
        Path described = Files.writeString(folder.resolve("n.csv"), "file,category_name\na.jpg,cat\n");

        assertThat(names(images(csv))).containsExactly("a.jpg -1", "b.jpg -1");
        assertThatExceptionOfType(DatasetException.class)
                .isThrownBy(() -> images(described))
                .withMessageContaining("no column for its class");
    }

    @Test
    @Timeout(120)
    void pipesAndDanglingLinksAreNamedAndNeverWaitedFor() throws Exception {
        file("c/a.png");
        Programs.output(folder, List.of("mkfifo", "c/pipe.png", "c/pipe", "list.txt"));
        Files.createSymbolicLink(folder.resolve("c/gone.png"), folder.resolve("nowhere"));
        Files.createSymbolicLink(folder.resolve("c/gone"), folder.resolve("nowhere"));

        LabeledFiles files = images(folder);

        assertThat(names(files)).containsExactly("a.png 0", "gone.png 0", "pipe.png 0");
        assertThat(files.leftOut().files()).isEqualTo(2);
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> storage.object(files.location(1)))
                .withMessageContaining("gone.png: it is a link to ");
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> storage.object(files.location(2)))
                .withMessageContaining("pipe.png: is no file but a pipe");
        assertThatExceptionOfType(DatasetException.class)
                .isThrownBy(() -> images(folder.resolve("list.txt")))
                .withMessageContaining("is no file but a pipe");
    }
}
