package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.plan.PlanRuns.batches;
import static org.jspdl.data.plan.PlanRuns.numbers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspdl.plan.record.SkipList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `order` of plans, over ten files of two classes.
class ChosenSamplesTest {
    private static final String BATCHES = """
            steps:
              - keep: {fields: [index, label]}
              - batch: 4
              - collate: {}
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        for (int i = 0; i < 10; i++) {
            Path file = folder.resolve("data/c%d/%02d.txt".formatted(i / 5, i));
            Files.createDirectories(file.getParent());
            Files.writeString(file, "text " + i);
        }
        Files.writeString(folder.resolve("some.txt"), "9\n0\n3\n3\n");
        Files.writeString(folder.resolve("weights.txt"), "0\n1\n0\n0\n0\n0\n0\n0\n0\n9\n");
    }

    private List<Double> indices(String said, int epochs) {
        return numbers(
                batches(folder, "source: {files: {path: data, %s}}\nepochs: %d\n".formatted(said, epochs) + BATCHES),
                "index");
    }

    @Test
    void indicesSayWhichFilesComeAndInWhichOrder() {
        assertThat(indices("order: {indices: some.txt}", 2)).containsExactly(9.0, 0.0, 3.0, 3.0, 9.0, 0.0, 3.0, 3.0);
        assertThat(indices("order: {indices: some.txt}, rank: 1, world-size: 2", 1))
                .containsExactly(0.0, 3.0);
    }

    @Test
    void passesBoundHowOftenASampleComesAndPlacesEndAnEpoch() {
        assertThat(indices("order: {passes: 2, places: 13}", 2))
                .containsExactly(
                        0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0,
                        6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0);
        List<Double> three = indices("shuffle: true, seed: 3, order: {passes: 3}", 1);
        for (int pass = 0; pass < 3; pass++) {
            assertThat(three.subList(10 * pass, 10 * pass + 10)).doesNotHaveDuplicates();
        }
        assertThat(three.subList(0, 10)).isNotEqualTo(three.subList(10, 20));
        assertThat(indices("order: {indices: some.txt, passes: 2}", 1))
                .containsExactly(9.0, 0.0, 3.0, 3.0, 9.0, 0.0, 3.0, 3.0);
        for (String wrong : List.of("places: 11", "passes: 0", "places: -1", "passes: 2.5")) {
            assertThatThrownBy(() -> indices("order: {" + wrong + "}", 1))
                    .as(wrong)
                    .hasMessageContaining("'order'");
        }
    }

    @Test
    void samplesOfASkipListNeverComeAndAllOthersStayWhereTheyAre() throws IOException {
        List<Double> before = indices("shuffle: true, seed: 3", 3);
        Path bad = folder.resolve("data/c1/07.txt");
        SkipList.add(folder.resolve("bad.txt"), bad.toString(), "broken");
        List<Double> after = indices("shuffle: true, seed: 3, skip: bad.txt", 3);
        assertThat(after).hasSize(30).doesNotContain(7.0);
        for (int i = 0; i < 30; i++) {
            if (before.get(i) != 7.0) {
                assertThat(after.get(i)).isEqualTo(before.get(i));
            }
        }
        assertThat(indices("order: {indices: some.txt}, skip: bad.txt", 1)).containsExactly(9.0, 0.0, 3.0, 3.0);
        String globbed = BATCHES.replace("index, label", "index");
        assertThat(numbers(
                        batches(folder, "source: {files: {path: data, glob: \"**/*.txt\", skip: bad.txt}}\n" + globbed),
                        "index"))
                .hasSize(10)
                .doesNotContain(7.0);
        SkipList.add(folder.resolve("bad.txt"), "data/c1/07.txt", "a name that no sample has");
        assertThatThrownBy(() -> indices("skip: bad.txt", 1)).hasMessageContaining("'data/c1/07.txt'");
        assertThatThrownBy(() -> indices("skip: none.txt", 1)).hasMessageContaining("none.txt");
    }

    @Test
    void shuffledIndicesComeInAnotherOrderInEveryEpoch() throws IOException {
        Files.write(folder.resolve("all.txt"), List.of("0", "1", "2", "3", "4", "5", "6", "7"));
        List<Double> seen = indices("shuffle: true, seed: 3, order: {indices: all.txt}", 2);

        assertThat(seen.subList(0, 8))
                .containsExactlyInAnyOrder(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
                .isNotEqualTo(seen.subList(8, 16));
    }

    @Test
    void weightsDrawInProportionAndByTheSeedAlone() {
        List<Double> drawn = indices("seed: 5, order: {weights: weights.txt, draws: 2000}", 1);

        assertThat(drawn).hasSize(2000).containsOnly(1.0, 9.0);
        assertThat(Collections.frequency(drawn, 9.0)).isBetween(1740, 1860); // 1,800, by 4.4 standard deviations
        assertThat(indices("seed: 5, order: {weights: weights.txt, draws: 2000}", 1))
                .isEqualTo(drawn);
        assertThat(indices("seed: 6, order: {weights: weights.txt, draws: 2000}", 1))
                .isNotEqualTo(drawn);
        List<Double> dealt = new ArrayList<>(Collections.nCopies(2000, 0.0));
        for (int rank = 0; rank < 4; rank++) {
            List<Double> share =
                    indices("seed: 5, order: {weights: weights.txt, draws: 2000}, world-size: 4, rank: " + rank, 1);
            for (int i = 0; i < share.size(); i++) {
                dealt.set(4 * i + rank, share.get(i));
            }
        }
        assertThat(dealt).isEqualTo(drawn);
    }

    @Test
    void aCurriculumAdmitsTheEasyOnesFirstOverEpochsAndRanks() throws IOException {
        Files.writeString(folder.resolve("hard.txt"), "9\n8\n7\n6\n5\n4\n3\n2\n1\n0.5\n");
        String said = "seed: 5, order: {curriculum: hard.txt, from: 2, to: 9, over: 20}";
        List<Double> all = indices(said, 3);

        for (int epoch = 0; epoch < 3; epoch++) {
            List<Double> left = new ArrayList<>(all.subList(10 * epoch, 10 * epoch + 10));
            assertThat(left).containsExactlyInAnyOrder(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
            for (int place = 0; place < 10; place++) {
                double limit = Math.min(9, 2 + 7 * (10.0 * epoch + place) / 20);
                double easiest =
                        left.stream().mapToDouble(ChosenSamplesTest::hard).min().orElseThrow();
                assertThat(hard(left.removeFirst())).isLessThanOrEqualTo(Math.max(limit, easiest));
            }
        }
        assertThat(all.subList(0, 10)).isNotEqualTo(all.subList(20, 30));
        assertThat(indices(said.replace(", to: 9", ""), 3)).isEqualTo(all);
        assertThat(indices(said.replace("seed: 5", "seed: 6"), 3)).isNotEqualTo(all);
        List<Double> dealt = new ArrayList<>(Collections.nCopies(30, 0.0));
        for (int rank = 0; rank < 2; rank++) {
            List<Double> share = indices(said + ", world-size: 2, rank: " + rank, 3);
            for (int i = 0; i < share.size(); i++) {
                dealt.set(2 * i + rank, share.get(i));
            }
        }
        assertThat(dealt).isEqualTo(all);
    }

    @ParameterizedTest
    @CsvSource({"1, 4", "1, 10", "2, 14", "3, 30"})
    void aCurriculumCountsThePlacesThatEpochsHave(int passes, int places) throws IOException {
        Files.writeString(folder.resolve("hard.txt"), "9\n8\n7\n6\n5\n4\n3\n2\n1\n0.5\n");
        for (int seed = 0; seed < 5; seed++) {
            String said = "seed: " + seed + ", order: {curriculum: hard.txt, from: 1, to: 9, over: 100, passes: "
                    + passes + ", places: " + places + "}";
            List<Double> all = indices(said, 4);

            assertThat(all).hasSize(4 * places);
            List<Double> left = new ArrayList<>();
            for (int place = 0; place < all.size(); place++) {
                if (place % places % 10 == 0) { // another pass
                    left = new ArrayList<>(List.of(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0));
                }
                double easiest =
                        left.stream().mapToDouble(ChosenSamplesTest::hard).min().orElseThrow();
                assertThat(left.remove(all.get(place))).isTrue();
                assertThat(hard(all.get(place)))
                        .as("place %d", place)
                        .isLessThanOrEqualTo(Math.max(1 + 8 * place / 100.0, easiest));
            }
        }
    }

    private static double hard(double index) {
        return index == 9 ? 0.5 : 9 - index;
    }

    @Test
    void withoutReplacementNoFileComesTwice() {
        assertThat(indices("order: {weights: weights.txt, replacement: false}", 1))
                .containsExactlyInAnyOrder(1.0, 9.0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            order: {indexes: some.txt}                              | 'order' has no 'indexes', only indices, weights, draws, replacement
            order: {indices: some.txt, weights: some.txt}           | 'order' needs either 'indices' or 'weights'
            order: {draws: 3}                                       | 'order' needs either 'indices' or 'weights'
            order: {indices: some.txt, draws: 3}                    | 'draws' and 'replacement' go with 'weights'
            shuffle: true, order: {weights: weights.txt}            | 'shuffle' does not go with the 'weights' of 'order'
            order: {weights: weights.txt, replacement: no}          | 'replacement' of 'order' must be true or false but was 'no'
            order: {weights: weights.txt, draws: few}               | 'draws' of 'order' must be a whole number but was 'few'
            order: {weights: weights.txt, draws: 0}                 | an epoch must have at least 1 draw but had 0
            order: {weights: some.txt}                              | there are 4 weights but 10 samples
            order: {indices: none.txt}                              | there is no file at
            order: {indices: some.txt}, world-size: 5               | cannot load a part of 4 items
            order: {curriculum: weights.txt, from: 1}               | needs 'from', the first limit, and 'over'
            order: {curriculum: weights.txt, over: 9}               | 'from' of the 'curriculum' of 'order' must be a number
            order: {curriculum: weights.txt, from: 2, to: 1, over: 9} | must not fall but goes from 2.0 to 1.0
            order: {curriculum: some.txt, from: 2, over: 9}         | there are 4 values but 10 samples
            order: {indices: some.txt, from: 2}                     | 'from', 'to' and 'over' go with 'curriculum'
            order: {indices: some.txt, curriculum: weights.txt, from: 2, over: 9} | 'order' needs either 'indices' or
            shuffle: true, order: {curriculum: weights.txt, from: 2, over: 9} | 'shuffle' does not go with the 'curriculum'
            """)
    void whatCannotBeVisitedIsRefused(String said, String reason) {
        assertThatThrownBy(() -> indices(said, 1)).hasMessageContaining(reason);
    }

    @Test
    void imagesInShardsHaveNoOrderOfTheirOwn() throws IOException {
        Files.write(folder.resolve("train-000000.tar"), new byte[1024]);
        assertThatThrownBy(() -> batches(
                        folder, "source: {shards: {path: train-000000.tar, order: {indices: some.txt}}}\n" + BATCHES))
                .hasMessageContaining("order");
    }
}
