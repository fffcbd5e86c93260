package org.jspdl.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.data.dataset.ImageNet.Split;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lists that datasets have of their own: ImageNet's development kit, Kinetics, LibriSpeech.
class DatasetListsTest {
    private static final Storage STORAGE = Storage.open();

    @TempDir
    Path root;

    private Path put(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    private void putKit(String truth) throws IOException {
        put("ILSVRC2012_devkit_t12/data/ILSVRC2012_validation_ground_truth.txt", truth);
        Files.write(root.resolve("ILSVRC2012_devkit_t12/data/meta.mat"), MatTableTest.file("meta.mat"));
    }

    private LabeledFiles labeled(String folder, String labels) throws IOException {
        return LabeledFiles.open(STORAGE, root.resolve(folder).toString())
                .relabeled(STORAGE, Location.of(root.resolve(labels)));
    }

    @Test
    void theKitsNumbersBecomeThoseOfTheFoldersToTrainOn() throws IOException {
        for (int i = 1; i <= 3; i++) {
            put("val/ILSVRC2012_val_0000000" + i + ".JPEG", "x");
        }
        putKit("4\n3\n1\n");
        String list = "ILSVRC2012_devkit_t12/data/ILSVRC2012_validation_ground_truth.txt";

        LabeledFiles val = labeled("val", list);

        assertThat(val.classes()).containsExactly("n01440764", "n02100735", "n02119789", "n02123045", "n03000684");
        assertThat(val.labels()).containsExactly(4, 0, 2);
        assertThat(ImageNet.open(root, Split.VAL).labels()).containsExactly(4, 0, 2);
        for (String id : val.classes()) {
            put("train/" + id + "/" + id + "_1.JPEG", "x");
        }
        assertThat(ImageNet.open(root, Split.TRAIN).labels()).containsExactly(0, 1, 2, 3, 4);
        assertThat(ImageNet.open(root, Split.VAL).labels()).containsExactly(4, 0, 2);
    }

    @Test
    void whatDoesNotFitTheKitIsNamed() throws IOException {
        put("val/ILSVRC2012_val_00000001.JPEG", "x");
        String list = "ILSVRC2012_devkit_t12/data/ILSVRC2012_validation_ground_truth.txt";
        putKit("1\n2\n");
        assertThatThrownBy(() -> labeled("val", list))
                .hasMessageContaining("name 1 file that is not in")
                .hasMessageContaining("ILSVRC2012_val_00000002");
        putKit("6\n");
        assertThatThrownBy(() -> labeled("val", list))
                .hasMessageContaining("line 1: '6' is the number of none of the 5 classes");
        putKit("1\n");
        put("val/holiday.JPEG", "x");
        assertThatThrownBy(() -> labeled("val", list))
                .hasMessageContaining("none for 1 of the 2 files")
                .hasMessageContaining("an image is called as in");
        Files.delete(root.resolve("ILSVRC2012_devkit_t12/data/meta.mat"));
        assertThatThrownBy(() -> labeled("val", list)).hasMessageContaining("meta.mat");
        put("ILSVRC2012_devkit_t12/data/meta.mat", "none");
        assertThatThrownBy(() -> labeled("val", list)).hasMessageContaining("not as ImageNet's development kit has it");
    }

    @Test
    void aListOfKineticsLabelsTheClipsThatAreThereByAllItsClasses() throws IOException {
        put("train/abc_000010_000020.mp4", "x");
        put("train/-x_Y_000000_000010.mkv", "x");
        put("annotations/train.csv", """
                label,youtube_id,time_start,time_end,split
                zumba,-x_Y,0,10,train
                "playing cards (solitaire, patience)",gone,5,15,train
                abseiling,abc,10,20,train
                abseiling,abc,10,20,train
                """);

        LabeledFiles clips = labeled("train", "annotations/train.csv");

        assertThat(clips.classes()).containsExactly("abseiling", "playing cards (solitaire, patience)", "zumba");
        assertThat(clips.name(0)).startsWith("-x_Y");
        assertThat(clips.labels()).containsExactly(2, 0);
    }

    @Test
    void clipsThatAListOfKineticsDoesNotHaveAreNamed() throws IOException {
        put("train/abc_000010_000020.mp4", "x");
        put("list.csv", "label,youtube_id,time_start,time_end\nzumba,abc,10,30\n");
        assertThatThrownBy(() -> labeled("train", "list.csv"))
                .hasMessageContaining("such as 'abc_000010_000020.mp4'")
                .hasMessageContaining("called by its youtube_id");
        put("list.csv", "label,youtube_id,time_start,time_end\nzumba,abc,10,20\npolka,abc,10,20\n");
        assertThatThrownBy(() -> labeled("train", "list.csv")).hasMessageContaining("twice");
        put("list.csv", "label,youtube_id,time_start,time_end\nzumba,abc,10.5,20\n");
        assertThatThrownBy(() -> labeled("train", "list.csv")).hasMessageContaining("time_start must be whole seconds");
        put("list.csv", "youtube_id,time_start,time_end\nabc,10,20\n");
        assertThatThrownBy(() -> labeled("train", "list.csv")).hasMessageContaining("no column for its class");
    }

    @Test
    void aTableWithoutNamesOfColumnsSaysWhatIsMissing() throws IOException {
        Path list = put("train.csv", "abseiling/abc.mp4 0\nzumba/x.mp4 1\n");

        assertThatThrownBy(() -> LabeledFiles.open(STORAGE, list.toString()))
                .hasMessageContaining("its first row has to name the columns")
                .hasMessageContaining("call a list of paths and labels with spaces or tabs between them .txt");
    }

    private TranscribedFiles transcribed(String folder) throws IOException {
        return TranscribedFiles.open(STORAGE, Location.of(root.resolve(folder)));
    }

    private void putSpeech() throws IOException {
        for (String sound : new String[] {"103/1240/103-1240-0000", "103/1240/103-1240-0001", "26/495/26-495-0000"}) {
            put("train/" + sound + ".flac", "x");
        }
        put("train/103/1240/103-1240.trans.txt", "103-1240-0000 CHAPTER ONE\n103-1240-0001 THAT HAD ITS SOURCE\n");
        put("train/26/495/26-495.trans.txt", "26-495-0000 ÄPFEL\r\n");
        put("train/26/495/notes.txt", "x");
        put("train/SPEAKERS.TXT", "x");
    }

    @Test
    void soundsHaveTheTextsOfTheListsBesideThemAndTheirSpeakersAsClasses() throws IOException {
        putSpeech();

        TranscribedFiles train = transcribed("train");

        assertThat(train.size()).isEqualTo(3);
        assertThat(train.sounds().classes()).containsExactly("103", "26");
        assertThat(train.get(1))
                .isEqualTo(new TranscribedFile(
                        Location.of(root.resolve("train/103/1240/103-1240-0001.flac")), 0, "THAT HAD ITS SOURCE"));
        assertThat(train.get(2).text()).isEqualTo("ÄPFEL");
        assertThat(train.get(2).label()).isEqualTo(1);
        assertThat(train.sounds().leftOut().files()).isEqualTo(1);
        TranscribedFiles chapter = transcribed("train/103/1240");
        assertThat(chapter.size()).isEqualTo(2);
        assertThat(chapter.get(0).label()).isEqualTo(LabeledFiles.NO_LABEL);
        assertThat(chapter.text(0)).isEqualTo("CHAPTER ONE");
    }

    @Test
    void aSoundWithoutATextAndATextWithoutASoundAreNamed() throws IOException {
        putSpeech();
        put("train/26/495/26-495-0001.flac", "x");
        assertThatThrownBy(() -> transcribed("train"))
                .hasMessageContaining("have no text for 1 of the sounds")
                .hasMessageContaining("26/495/26-495-0001.flac");
        Files.delete(root.resolve("train/26/495/26-495-0001.flac"));
        Files.delete(root.resolve("train/103/1240/103-1240-0001.flac"));
        assertThatThrownBy(() -> transcribed("train"))
                .hasMessageContaining("no sound for 1 texts")
                .hasMessageContaining("'103/1240/103-1240-0001'");
        put("train/26/495/26-495.trans.txt", "26-495-0000 A\n26-495-0000 B\n");
        assertThatThrownBy(() -> transcribed("train"))
                .hasMessageContaining("line 2")
                .hasMessageContaining("already");
        put("others/a/b.flac", "x");
        assertThatThrownBy(() -> transcribed("others")).hasMessageContaining("no lists of what is said");
    }
}
