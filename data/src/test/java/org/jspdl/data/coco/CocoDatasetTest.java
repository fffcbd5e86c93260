package org.jspdl.data.coco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files laid out as "Data format" of cocodataset.org says.
class CocoDatasetTest {
    private static final String FILE = """
            {"info": {"year": 2017, "x": ["]", "}", "\\"{"]}, "licenses": [{"id": 1}], "empty": [], "none": {},
             "annotations": [
              {"segmentation": [[1.5, 2, 3, 4, 5, 6]], "area": 702.1, "iscrowd": 0, "image_id": 397133,
               "bbox": [217.62, 240.54, 38.99, 57.75], "category_id": 44, "id": 82445},
              {"segmentation": {"counts": [272, 2], "size": [4, 5]}, "iscrowd": 1, "image_id": 7,
               "bbox": [0, 1, 2, 3], "category_id": 90, "id": 2},
              {"image_id": 397133, "bbox": [1, 2, 3, 4.5], "category_id": 1, "id": 3}
             ],
             "images": [
              {"license": 4, "file_name": "000000397133.jpg", "coco_url": "http://x/y", "height": 427, "width": 640,
               "date_captured": "2013-11-14 17:02:52", "id": 397133},
              {"id": 37777, "file_name": "sub/a \\u00fc.jpg"},
              {"id": 7, "file_name": "7.jpg"}
             ],
             "categories": [{"supercategory": "kitchen", "id": 44, "name": "bottle"}, {"id": 90, "name": "toothbrush"},
              {"id": 1, "name": "person"}]}
            """;

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();

    @AfterEach
    void close() {
        storage.close();
    }

    private CocoDataset open(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("instances.json"), text);
        return CocoDataset.open(storage, Location.of(file), Location.of(folder.resolve("val2017")));
    }

    @Test
    void imagesHaveTheirBoxesInTheOrderOfTheFile() throws IOException {
        CocoDataset dataset = open(FILE);

        assertThat(dataset.size()).isEqualTo(3);
        assertThat(dataset.things()).isEqualTo(3);
        assertThat(dataset.classes()).containsExactly("person", "bottle", "toothbrush");
        CocoImage first = dataset.get(0);
        assertThat(first.file().path()).isEqualTo(folder.resolve("val2017/000000397133.jpg"));
        assertThat(first.id()).isEqualTo(397133);
        assertThat(first.boxes()).containsExactly(217.62f, 240.54f, 38.99f, 57.75f, 1, 2, 3, 4.5f);
        assertThat(first.labels()).containsExactly(1, 0);
        assertThat(first.crowds()).containsExactly(0, 0);
        assertThat(dataset.get(1).size()).isZero();
        assertThat(dataset.get(1).file().path()).isEqualTo(folder.resolve("val2017/sub/a ü.jpg"));
        assertThat(dataset.get(2).boxes()).containsExactly(0, 1, 2, 3);
        assertThat(dataset.get(2).labels()).containsExactly(2);
        assertThat(dataset.get(2).crowds()).containsExactly(1);
        assertThat(open("\uFEFF" + FILE).size()).as("with a byte-order mark").isEqualTo(3);
    }

    @Test
    void manyBoxesAreWithTheirImages() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        StringBuilder text = new StringBuilder("{\"categories\": [{\"id\": 3}], \"images\": [");
        for (int i = 0; i < 500; i++) {
            text.append(i == 0 ? "" : ",").append("{\"id\": " + (500 - i) + ", \"file_name\": \"" + i + ".jpg\"}");
        }
        text.append("], \"annotations\": [");
        int[] counts = new int[501];
        for (int i = 0; i < 5_000; i++) {
            int image = random.nextInt(1, 501);
            text.append(i == 0 ? "" : ",")
                    .append("{\"image_id\": " + image + ", \"category_id\": 3, \"bbox\": [" + image + ", ")
                    .append(counts[image]++)
                    .append(", 1, 1]}");
        }
        CocoDataset dataset = open(text + "]}");

        for (int i = 0; i < 500; i++) {
            CocoImage image = dataset.get(i);
            assertThat(image.size()).isEqualTo(counts[500 - i]);
            for (int box = 0; box < image.size(); box++) {
                assertThat(image.boxes()[4 * box]).isEqualTo(500 - i);
                assertThat(image.boxes()[4 * box + 1]).isEqualTo(box);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "\"image_id\": 7,~\"image_id\": 8,~annotation 1 of the list names the image 8, which there is not",
                "\"category_id\": 90~\"category_id\": 91~annotation 1 of the list names the category 91",
                "[0, 1, 2, 3]~[0, 1, 2]~annotation 1 of the list has no 'image_id', no 'category_id', or no 'bbox'",
                "[0, 1, 2, 3]~[0, 1, 1e39, 3]~annotation 1 of the list has a 'bbox' beyond what a float holds",
                "\"name\": \"person\"}]}~\"name\": \"person\"}]} {}~there is more text behind the document",
                "\"empty\": []~\"images\": []~the name 'images' is there twice",
                "[0, 1, 2, 3]~null~annotation 1 of the list has no 'image_id'",
                "[0, 1, 2, 3]~[0, 1, 2, x]~invalid JSON",
                "\"7.jpg~\"../7.jpg~image 7 has a 'file_name' that leads out of the folder",
                "\"7.jpg~\"/etc/passwd~image 7 has a 'file_name' that leads out of the folder",
                "\"7.jpg~\"s3://b/7.jpg~image 7 has a 'file_name' that leads out of the folder",
                "\"id\": 7,~\"id\": 37777,~two images have the id 37777",
                "\"id\": 37777,~~image 1 of the list has no 'id' or no 'file_name'",
                "\"name\": \"person\"}]}~\"name\": \"person\"~the document ends early",
                "\"none\": {},~\"none\": {}~expected , or }",
                "\"images\"~\"pictures\"~there are no 'images'"
            })
    void aFileThatIsWrongIsNamedWithTheReason(String right, String wrong, String message) {
        assertThat(FILE).contains(right);

        assertThatThrownBy(() -> open(FILE.replace(right, wrong == null ? "" : wrong)))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("instances.json")
                .hasMessageContaining(message);
    }

    @Test
    void whatIsCutOffOrMutatedIsReadOrRefused() throws IOException {
        SplittableRandom random = new SplittableRandom(9);
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder(FILE);
            int at = random.nextInt(text.length());
            if (i % 4 == 0) {
                text.setLength(at);
            } else {
                text.setCharAt(at, "{}[],:\"0 x\\".charAt(random.nextInt(11)));
            }
            try {
                CocoDataset dataset = open(text.toString());
                for (long image = 0; image < dataset.size(); image++) {
                    assertThat(dataset.get(image).size()).isLessThanOrEqualTo(3);
                }
            } catch (DatasetException named) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(500);
    }
}
