package org.jspdl.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.data.dataset.ImageNet.Split;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageNetTest {
    @TempDir
    Path root;

    @Test
    void foldersOfWordNetIdsAreTheClasses() throws Exception {
        put("train/n01443537/a.JPEG", "train/n01440764/b.JPEG", "val/n01443537/c.JPEG");

        LabeledFiles train = ImageNet.open(root, Split.TRAIN);
        LabeledFiles val = ImageNet.open(root, Split.VAL);

        assertThat(train.classes()).containsExactly("n01440764", "n01443537");
        assertThat(train.labels()).containsExactly(0, 1);
        assertThat(val.labels()).containsExactly(1);
        assertThat(val.location(0).text())
                .isEqualTo(root.resolve("val/n01443537/c.JPEG").toString());
    }

    @Test
    void aFlatValidationFolderGetsItsLabelsFromTheSolution() throws Exception {
        put(
                "ILSVRC/Data/CLS-LOC/val/ILSVRC2012_val_00000002.JPEG",
                "ILSVRC/Data/CLS-LOC/val/ILSVRC2012_val_00000001.JPEG");
        Files.writeString(
                root.resolve("LOC_synset_mapping.txt"),
                "n01440764 tench, Tinca tinca\nn01443537 goldfish, gold fish\n");
        Files.writeString(
                root.resolve("LOC_val_solution.csv"),
                "ImageId,PredictionString\nILSVRC2012_val_00000002,n01440764 1 2 3 4 \nILSVRC2012_val_00000001,n01443537 9 9 9 9 n01443537 1 1 2 2 \n");

        LabeledFiles val = ImageNet.open(root, Split.VAL);

        assertThat(val.labels()).containsExactly(1, 0);
        assertThat(ImageNet.names(root)).containsEntry("n01443537", "goldfish, gold fish");
    }

    @Test
    void whatIsMissingIsNamed() throws Exception {
        assertThatThrownBy(() -> ImageNet.open(root, Split.TRAIN)).hasMessageContaining("train");
        put("train/n01440764/b.JPEG", "val/x.JPEG");
        assertThatThrownBy(() -> ImageNet.open(root, Split.VAL)).hasMessageContaining("LOC_val_solution.csv");
        Files.writeString(root.resolve("LOC_val_solution.csv"), "ImageId,PredictionString\ny,n01440764 1\n");
        assertThatThrownBy(() -> ImageNet.open(root, Split.VAL)).hasMessageContaining("no label for");
        put("train/holidays/b.JPEG");
        assertThatThrownBy(() -> ImageNet.open(root, Split.TRAIN)).hasMessageContaining("holidays");
    }

    private void put(String... paths) throws Exception {
        for (String path : paths) {
            Files.createDirectories(root.resolve(path).getParent());
            Files.writeString(root.resolve(path), path);
        }
    }
}
