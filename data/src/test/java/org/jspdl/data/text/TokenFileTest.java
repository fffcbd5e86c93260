package org.jspdl.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.data.loader.DataLoader;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.source.BalancedBatchSampler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenFileTest {
    @TempDir
    Path folder;

    /// Packing the same documents while they stream is the reference.
    @ParameterizedTest
    @CsvSource({"1, 300", "2, 65536", "3, 65537", "4, 2000000000"})
    void sequencesAreThoseOfConcatenation(long seed, int vocabulary) throws Exception {
        Random random = new Random(seed);
        List<int[]> documents = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            documents.add(random.ints(random.nextInt(40), 0, vocabulary).toArray());
        }
        List<TokenSequence> expected = new ArrayList<>();
        try (Run<TokenSequence> run =
                Packing.into(32).concatenate(Pipeline.from(documents)).start()) {
            run.forEach(expected::add);
        }
        try (TokenFile file = TokenFile.open(write(vocabulary, documents))) {
            Dataset<TokenSequence> sequences = file.sequences(32);
            assertThat(file.documents()).isEqualTo(100);
            assertThat(sequences.size()).isEqualTo(file.tokens() / 32);
            for (int i = 0; i < sequences.size(); i++) {
                int index = random.nextInt((int) sequences.size());
                assertThat(sequences.get(index)).isEqualTo(expected.get(index));
            }
        }
    }

    /// 4 ranks that each take 4,096 tokens a step, of documents up to 512 tokens, longer ones cut.
    @Test
    void ranksGetWholeDocumentsInSequencesOfEqualCost() throws Exception {
        Random random = new Random(5);
        List<int[]> documents = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            int size = (int) Math.clamp(Math.exp(4.5 + random.nextGaussian()), 0, 2_000);
            documents.add(random.ints(size, 1, 300).toArray());
        }
        try (TokenFile file = TokenFile.open(write(300, documents))) {
            TokenPieces pieces = file.pieces(512);
            long tokens = 0;
            List<Double> squares = new ArrayList<>();
            for (int rank = 0; rank < 4; rank++) {
                BalancedBatchSampler packs = pieces.balanced(4_096).shuffled(1).shard(rank, 4);
                try (DataLoader<TokenSequence> loader = DataLoader.of(pieces)
                        .batchSampler(packs)
                        .collate(parts -> TokenSequence.of(parts, 4_096, 0))
                        .build()) {
                    for (TokenSequence sequence : loader) {
                        tokens += sequence.used();
                        squares.add(squares(sequence));
                    }
                }
            }
            double mean = squares.stream().mapToDouble(each -> each).average().orElseThrow();
            assertThat(squares).allMatch(each -> each < 1.05 * mean).hasSizeGreaterThan(150);
            assertThat(tokens).isGreaterThan((long) (0.98 * 4_096 * squares.size()));
        }
    }

    /// What attention costs within documents.
    private static double squares(TokenSequence sequence) {
        double sum = 0;
        for (int i = 0; i < sequence.used(); i++) {
            sum += 2.0 * sequence.positions()[i] + 1;
        }
        return sum;
    }

    @Test
    void overlappingSequencesHoldInputsAndTargets() throws Exception {
        try (TokenFile file = TokenFile.open(write(300, List.of(new int[] {1, 2, 3}, new int[] {4, 5, 6, 7, 8, 9})))) {
            Dataset<TokenSequence> sequences = file.sequences(5, 4);
            assertThat(sequences.size()).isEqualTo(2);
            assertThat(sequences.get(1).tokens()).containsExactly(5, 6, 7, 8, 9);
            assertThat(file.sequences(10).size()).isZero();
        }
    }

    @Test
    void whatIsNoFileOfTokensIsRefused() throws Exception {
        Path empty = Files.createFile(folder.resolve("empty"));
        Path other = Files.writeString(folder.resolve("other"), "x".repeat(100));
        Path good = write(300, List.of(new int[] {1, 2, 3}));
        byte[] bytes = Files.readAllBytes(good);
        Path cut = Files.write(folder.resolve("cut"), java.util.Arrays.copyOf(bytes, bytes.length - 1));
        for (Path path : List.of(empty, other, cut)) {
            assertThatThrownBy(() -> TokenFile.open(path))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(path.toString());
        }
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            byte[] damaged = bytes.clone();
            damaged[random.nextInt(TokenFile.HEADER_BYTES)] ^= (byte) (1 << random.nextInt(8));
            Path file = Files.write(folder.resolve("damaged"), damaged);
            assertThatThrownBy(() -> TokenFile.open(file)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aFileThatWasNotFinishedIsNotThere() throws Exception {
        Path file = folder.resolve("broken-off");
        try (TokenFileWriter writer = TokenFileWriter.create(file, 10)) {
            writer.add(new int[] {1});
            assertThatThrownBy(() -> writer.add(new int[] {1, 10})).hasMessageContaining("token 1 of document 1 is 10");
        }
        assertThat(folder).isEmptyDirectory();
    }

    private Path write(int vocabulary, List<int[]> documents) throws Exception {
        Path file = folder.resolve("tokens" + vocabulary);
        try (TokenFileWriter writer = TokenFileWriter.create(file, vocabulary)) {
            for (int[] document : documents) {
                writer.add(document);
            }
            writer.finish();
        }
        return file;
    }
}
