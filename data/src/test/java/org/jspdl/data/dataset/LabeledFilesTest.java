package org.jspdl.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspdl.data.storage.Storage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabeledFilesTest {
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13};

    @TempDir
    Path root;

    @Test
    void aFolderIsReadClassByClassInTheOrderOfTheNames() throws Exception {
        put("dog/b.jpg", "dog/a.JPG", "cat/z.png", "cat/deep/er/c.jpg", ".hidden/x.jpg", "cat/.DS_Store", "notes.txt");

        LabeledFiles dataset = open(root);

        assertThat(dataset.classes()).containsExactly("cat", "dog");
        assertThat(files(dataset)).containsExactly("cat/deep/er/c.jpg", "cat/z.png", "dog/a.JPG", "dog/b.jpg");
        assertThat(IntStream.range(0, 4).map(dataset::label)).containsExactly(0, 0, 1, 1);
    }

    @Test
    void foldersThatSystemsKeepAreNoClassesAndAreNotLookedInto() throws Exception {
        put(
                "cat/z.png",
                "cat/@eaDir/z.png/thumb.jpg",
                "@eaDir/t.jpg",
                "lost+found/x.jpg",
                "__MACOSX/cat/z.png",
                "$RECYCLE.BIN/y.jpg");
        Files.setPosixFilePermissions(root.resolve("lost+found"), Set.of());

        LabeledFiles dataset = open(root);

        assertThat(dataset.classes()).containsExactly("cat");
        assertThat(files(dataset)).containsExactly("cat/z.png");
    }

    @Test
    void linksThatLeadBackAreNamedAndNeverFollowedForEver() throws Exception {
        put("cat/a.jpg", "elsewhere/deep/b.jpg");
        Files.createSymbolicLink(root.resolve("cat/more"), root.resolve("elsewhere/deep"));
        assertThat(files(open(root))).contains("cat/more/b.jpg");

        Files.createSymbolicLink(root.resolve("elsewhere/deep/x"), Path.of("../.."));
        Files.createSymbolicLink(root.resolve("elsewhere/deep/y"), Path.of("."));
        assertThatThrownBy(() -> open(root))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("cat/more/x leads to")
                .hasMessageContaining("in which it lies itself; remove it");
    }

    @Test
    void everyFileOfAClassBelongsToItWhateverItsName() throws Exception {
        put("cat/readme", "cat/notes.txt");

        assertThat(files(open(root))).containsExactly("cat/notes.txt", "cat/readme");
    }

    @Test
    void ofImagesOtherFilesAreLeftOutAndCountedWithoutChangingTheNumbersOfClasses() throws Exception {
        put(
                "cat/b.jpg",
                "cat/Thumbs.db",
                "cat/notes.txt",
                "cat/sub/a.PNG",
                "cat/sub/a.txt",
                "dog/c.webp",
                "empty/x.md");
        put("Thumbs.db", "aardvark.txt", "zebra.jpg", ".DS_Store");
        Files.write(root.resolve("cat/aa"), PNG);
        Files.writeString(root.resolve("cat/README"), "cats");

        LabeledFiles dataset = images(root);

        assertThat(dataset.classes()).containsExactly("cat", "dog", "empty");
        assertThat(files(dataset)).containsExactly("cat/aa", "cat/b.jpg", "cat/sub/a.PNG", "dog/c.webp");
        assertThat(dataset.labels()).containsExactly(0, 0, 0, 1);
        assertThat(dataset.leftOut().files()).isEqualTo(5);
        assertThat(dataset.leftOut().endings())
                .containsOnly(entry("", 1L), entry("db", 1L), entry("md", 1L), entry("txt", 2L));
        assertThat(dataset.leftOut()).hasToString("5 (2 .txt, 1 without an ending, 1 .db, 1 .md)");
    }

    @Test
    void whatIsCalledAsAnImageIsASampleEvenIfItIsNone() throws Exception {
        put("cat/broken.jpg");
        Files.createSymbolicLink(root.resolve("cat/gone.png"), Path.of("nowhere"));

        assertThat(files(images(root))).containsExactly("cat/broken.jpg", "cat/gone.png");
    }

    @Test
    void pipesAndDanglingLinksThatAreNotCalledAsImagesAreLeftOut() throws Exception {
        put("cat/a.jpg");
        Files.createSymbolicLink(root.resolve("cat/gone"), Path.of("nowhere"));
        assertThat(new ProcessBuilder("mkfifo", root.resolve("cat/pipe").toString())
                        .start()
                        .waitFor())
                .isZero();

        assertThat(images(root).leftOut().files()).isEqualTo(2);
    }

    @Test
    void aFolderOfOtherFilesHasNoImages() throws Exception {
        put("cat/a.txt", "cat/b.wav");

        assertThatThrownBy(() -> images(root))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("hold no images, but other files: 2 (1 .txt, 1 .wav)");
        assertThat(open(root).size()).isEqualTo(2);
    }

    @Test
    void whatOperatingSystemsLeaveIsNoSampleOfAnyKind() throws Exception {
        put("cat/a.txt", "cat/Thumbs.db", "cat/desktop.ini");

        assertThat(files(open(root))).containsExactly("cat/a.txt");
        assertThat(open(root).leftOut().files()).isEqualTo(2);
    }

    private static LabeledFiles images(Path path) throws Exception {
        try (Storage storage = Storage.open()) {
            return LabeledFiles.images(storage, path.toString());
        }
    }

    @Test
    void namesOutsideAsciiAreKept() throws Exception {
        put("Äpfel/grün 1.jpg", "梨/一.jpg");

        assertThat(files(open(root))).containsExactly("Äpfel/grün 1.jpg", "梨/一.jpg");
    }

    /// Folders are read side by side.
    @Test
    void filesOfManyClassesComeInTheOrderOfTheirNames() throws Exception {
        List<String> expected = new ArrayList<>();
        Random random = new Random(5);
        for (int i = 0; i < 150; i++) {
            for (int file = random.nextInt(6); file >= 0; file--) {
                String below = random.nextInt(4) == 0 ? "sub" + random.nextInt(3) + ".d/deep/" : "";
                String ending = List.of(".JPEG", ".jpg", ".png", "", ".txt").get(random.nextInt(5));
                String name = "c" + i + "/" + below + random.nextInt(1000) + ending;
                put(name);
                if (ending.length() > 1 && !ending.equals(".txt") && !expected.contains(name)) {
                    expected.add(name);
                }
            }
        }
        Collections.sort(expected, Comparator.comparing((String name) -> List.of(name.split("/")), (one, other) -> {
            int differs = 0;
            while (one.get(differs).equals(other.get(differs))) {
                differs++;
            }
            return one.get(differs).compareTo(other.get(differs));
        }));

        LabeledFiles dataset = images(root);

        assertThat(files(dataset)).containsExactlyElementsOf(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(dataset.classes().get(dataset.label(i)) + "/")
                    .isEqualTo(expected.get(i).split("/")[0] + "/");
        }
    }

    @Test
    void aListNamesFilesRelativeToItselfAndNumbersItsClasses() throws Exception {
        Path list = Files.writeString(root.resolve("list.txt"), "a b.jpg\tdog\n\nsub/c.jpg cat\n/abs/d.jpg dog\n");

        LabeledFiles dataset = open(list);

        assertThat(dataset.classes()).containsExactly("cat", "dog");
        assertThat(dataset.location(0).text()).isEqualTo(root.resolve("a b.jpg").toString());
        assertThat(dataset.location(1).text())
                .isEqualTo(root.resolve("sub/c.jpg").toString());
        assertThat(dataset.location(2).text()).isEqualTo(Path.of("/abs/d.jpg").toString());
        assertThat(IntStream.range(0, 3).map(dataset::label)).containsExactly(1, 0, 1);
    }

    @Test
    void aListOfNumbersKeepsThem() throws Exception {
        Path list = Files.writeString(root.resolve("list.txt"), "a.jpg 7\nb.jpg 12\n");

        LabeledFiles dataset = open(list);

        assertThat(dataset.classes()).isEmpty();
        assertThat(IntStream.range(0, 2).map(dataset::label)).containsExactly(7, 12);
    }

    @Test
    void whatCannotBeUsedIsNamedWithTheReason() throws Exception {
        Path empty = Files.createDirectory(root.resolve("empty"));
        Path hollow = Files.createDirectories(root.resolve("hollow/cat"));
        Path blank = Files.writeString(root.resolve("blank.txt"), "\n\n");
        Path bare = Files.writeString(root.resolve("bare.txt"), "a.jpg 1\nb.jpg\n");
        Path binary = Files.write(root.resolve("image.jpg"), new byte[] {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF, 0});

        refuses(root.resolve("absent"), "there is no folder or file list");
        refuses(empty, "holds no files");
        refuses(root.resolve("hollow"), "hold no files");
        refuses(blank, "is empty");
        refuses(bare, "line 2");
        refuses(binary, "not UTF-8 text");
        assertThat(hollow).exists();
    }

    /// `10` would come before `2` if one label made names of all.
    @Test
    void numbersAreNeverNumberedAnewBecauseOfOneThatIsNone() throws Exception {
        for (String odd : List.of("2.0", "-1", "nan", "None", "1e3")) {
            Path list =
                    Files.writeString(root.resolve("odd.csv"), "file,label\na.jpg,2\nb.jpg,10\nc.jpg," + odd + "\n");
            refuses(list, "the labels are numbers, but '" + odd + "' is no number of a class");
        }
        refuses(
                Files.writeString(root.resolve("empty.csv"), "file,label\na.jpg,2\nb.jpg,\n"),
                "the file 'b.jpg' has an empty label");
        refuses(Files.writeString(root.resolve("float.tsv"), "file\tlabel\na\t2.0\nb\t10.0\n"), "no number of a class");
        Path digits = Files.writeString(root.resolve("digits.txt"), "a.jpg 7\nb.jpg x\nc.jpg 10\n");
        assertThat(open(digits).classes()).containsExactly("10", "7", "x");
        Path names = Files.writeString(root.resolve("names.txt"), "a.jpg none\nb.jpg cat\n");
        assertThat(open(names).classes()).containsExactly("cat", "none");
    }

    private static void refuses(Path path, String reason) {
        assertThatThrownBy(() -> open(path))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining(reason);
    }

    private static LabeledFiles open(Path path) throws Exception {
        try (Storage storage = Storage.open()) {
            return LabeledFiles.open(storage, path.toString());
        }
    }

    private List<String> files(LabeledFiles dataset) {
        return IntStream.range(0, (int) dataset.size())
                .mapToObj(i ->
                        root.relativize(Path.of(dataset.location(i).text())).toString())
                .toList();
    }

    private void put(String... paths) throws Exception {
        for (String path : paths) {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, path);
        }
    }
}
