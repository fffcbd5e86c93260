package org.jspdl.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PackingTest {

    static LongStream seeds() {
        return LongStream.range(0, 30);
    }

    @Test
    void documentsAreConcatenatedAndCutWithTheirNumbersAndPositions() {
        List<int[]> documents = List.of(new int[] {1, 2, 3}, new int[] {}, new int[] {4, 5, 6, 7}, new int[] {8});
        List<TokenSequence> packed = run(Packing.into(4).endOfDocument(9).concatenate(Pipeline.from(documents)));

        assertThat(packed)
                .containsExactly(
                        new TokenSequence(new int[] {1, 2, 3, 9}, new int[] {1, 1, 1, 1}, new int[] {0, 1, 2, 3}),
                        new TokenSequence(new int[] {9, 4, 5, 6}, new int[] {1, 2, 2, 2}, new int[] {0, 0, 1, 2}),
                        new TokenSequence(new int[] {7, 9, 8, 9}, new int[] {1, 1, 2, 2}, new int[] {0, 1, 0, 1}));
    }

    @Test
    void theLastSequenceIsFilledUp() {
        List<TokenSequence> packed =
                run(Packing.into(4).padding(7).concatenate(Pipeline.from(List.of(new int[] {1, 2, 3, 4, 5}))));

        assertThat(packed.getLast())
                .isEqualTo(new TokenSequence(new int[] {5, 7, 7, 7}, new int[] {1, 0, 0, 0}, new int[4]));
        assertThat(packed.getLast().used()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void concatenatingKeepsEveryTokenInOrder(long seed) {
        List<int[]> documents = documents(new Random(seed));
        List<TokenSequence> packed = run(Packing.into(16).concatenate(Pipeline.from(documents)));

        assertThat(packed.stream().flatMapToInt(PackingTest::tokens))
                .containsExactlyElementsOf(
                        documents.stream().flatMapToInt(Arrays::stream).boxed().toList());
        assertThat(packed.subList(0, Math.max(0, packed.size() - 1))).allMatch(sequence -> sequence.used() == 16);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void bestFitKeepsDocumentsWholeAndEveryToken(long seed) {
        List<int[]> documents = documents(new Random(seed));
        List<TokenSequence> packed = run(Packing.into(16).bestFit(Pipeline.from(documents), 20));

        List<List<Integer>> parts = new ArrayList<>();
        for (TokenSequence sequence : packed) {
            int last = sequence.used() == 0 ? 0 : sequence.documents()[sequence.used() - 1];
            for (int number = 1; number <= last; number++) {
                int wanted = number;
                parts.add(IntStream.range(0, sequence.used())
                        .filter(i -> sequence.documents()[i] == wanted)
                        .mapToObj(i -> sequence.tokens()[i])
                        .toList());
            }
        }
        List<List<Integer>> expected = new ArrayList<>();
        for (int[] document : documents) {
            for (int from = 0; from < document.length; from += 16) {
                expected.add(Arrays.stream(document, from, Math.min(document.length, from + 16))
                        .boxed()
                        .toList());
            }
        }
        assertThat(parts).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void bestFitFillsUpLittle() {
        Random random = new Random(4);
        List<int[]> documents = IntStream.range(0, 2_000)
                .mapToObj(i -> new int[1 + random.nextInt(512)])
                .toList();
        List<TokenSequence> packed = run(Packing.into(1_024).bestFit(Pipeline.from(documents), 500));
        long used = packed.stream().mapToLong(TokenSequence::used).sum();
        assertThat((double) used / (packed.size() * 1_024L)).isGreaterThan(0.98);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aResumedRunPacksTheSameSequences(long seed) {
        Random random = new Random(seed);
        List<int[]> documents = documents(random);
        boolean fitted = random.nextBoolean();
        Packing packing = Packing.into(1 + random.nextInt(30)).endOfDocument(3);
        Pipeline<int[]> tokens = Pipeline.from(Samplers.shuffled(documents.size(), seed))
                .pipe("tokenize", index -> documents.get(index.intValue()), cpu(3).inputOrder());
        Pipeline<TokenSequence> recipe = fitted ? packing.bestFit(tokens, 7) : packing.concatenate(tokens);
        List<TokenSequence> whole = run(recipe);

        List<TokenSequence> resumed = new ArrayList<>();
        RunOptions options = RunOptions.defaults();
        for (boolean ended = false; !ended; ) {
            try (Run<TokenSequence> run = recipe.start(options)) {
                int stopAfter = 1 + random.nextInt(40);
                for (TokenSequence sequence : run) {
                    resumed.add(sequence);
                    if (--stopAfter == 0) {
                        break;
                    }
                }
                ended = stopAfter > 0;
                options = RunOptions.defaults()
                        .resumeFrom(Checkpoint.parse(run.checkpoint().toJson()));
            }
        }
        assertThat(resumed).as("seed %d", seed).isEqualTo(whole);
    }

    @Test
    void sequencesAreCollatedToThreeTensors() {
        List<TokenSequence> packed =
                run(Packing.into(3).concatenate(Pipeline.from(List.of(new int[] {1, 2}, new int[] {3, 4, 5, 6}))));
        try (BufferPool pool = BufferPool.create("tokens", 1 << 16);
                TensorBatch batch = TokenSequence.collation(pool).apply(packed)) {
            assertThat(batch.tensor("tokens").segment().toArray(ValueLayout.JAVA_INT))
                    .containsExactly(1, 2, 3, 4, 5, 6);
            assertThat(batch.tensor("documents").segment().toArray(ValueLayout.JAVA_INT))
                    .containsExactly(1, 1, 2, 1, 1, 1);
            assertThat(batch.tensor("positions").segment().toArray(ValueLayout.JAVA_INT))
                    .containsExactly(0, 1, 0, 0, 1, 2);
        }
    }

    @Test
    void damagedStatesAndNonsenseAreRefused() {
        for (String state : List.of("", "3:1 2", "9:1 2 3 4 5 6 7 8 9", "-1:1", "x:1", "1:1 2", "1:1:1")) {
            assertThatThrownBy(() -> new SequenceBuilder(8, 0).restore(state))
                    .as(state)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Packing.into(0)).hasMessageContaining("0");
        assertThatThrownBy(() -> Packing.into(4).padding(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> Packing.into(4).bestFit(Pipeline.from(List.of()), 0))
                .hasMessageContaining("window");
    }

    private static IntStream tokens(TokenSequence sequence) {
        return Arrays.stream(sequence.tokens(), 0, sequence.used());
    }

    private static List<int[]> documents(Random random) {
        return IntStream.range(0, random.nextInt(80))
                .mapToObj(i -> random.ints(random.nextInt(50), 1, 1_000).toArray())
                .toList();
    }

    private static List<TokenSequence> run(Pipeline<TokenSequence> recipe) {
        List<TokenSequence> packed = new ArrayList<>();
        try (Run<TokenSequence> run = recipe.start()) {
            run.forEach(packed::add);
        }
        return packed;
    }
}
