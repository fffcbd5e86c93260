package org.jspdl.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.source.BalancedBatchSampler;
import org.jspdl.source.BatchSampler;
import org.jspdl.source.Even;
import org.jspdl.source.IndexBatch;
import org.jspdl.source.SampleCost;
import org.jspdl.source.Samplers;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/// The sources of core, held to the kit that others use for theirs.
class OurSourcesConformTest {
    private static final List<String> NAMES =
            IntStream.range(0, 100).mapToObj(i -> "name " + i).toList();

    @Nested
    class OfAList extends SourceConformance<String> {
        @Override
        protected Source<String> source() {
            return Sources.of(NAMES);
        }
    }

    @Nested
    class OfAnIterable extends SourceConformance<String> {
        @Override
        protected Source<String> source() {
            Iterable<String> names = new LinkedHashSet<>(NAMES);
            return Sources.of(names);
        }
    }

    @Nested
    class OfARange extends SourceConformance<Long> {
        @Override
        protected Source<Long> source() {
            return Sources.range(1_000);
        }
    }

    @Nested
    class OfAFunction extends SourceConformance<String> {
        @Override
        protected Source<String> source() {
            return Sources.indexed(50, index -> "item " + index);
        }
    }

    @Nested
    class OfAFolderThatGrew extends SourceConformance<Path> {
        @TempDir
        Path folder;

        @BeforeEach
        void fill() throws IOException {
            for (int i = 10; i < 40; i++) {
                Files.createFile(folder.resolve(i + ".tar"));
            }
            Files.createFile(folder.resolve("end"));
        }

        @Override
        protected Source<Path> source() {
            return Sources.growing(folder, "*.tar", "end");
        }
    }

    @Nested
    class ShuffledInOneOfThreeParts extends SourceConformance<Long> {
        @Override
        protected Source<Long> source() {
            return Samplers.shuffled(1_000, 42).shard(1, 3);
        }
    }

    @Nested
    class ItemsOfASampler extends SourceConformance<String> {
        @Override
        protected Source<String> source() {
            return Samplers.shuffled(100, 42)
                    .shard(1, 3)
                    .items("names", (epoch, index, last) -> epoch + ", " + index + ", " + last);
        }
    }

    @Nested
    class Mapped extends SourceConformance<String> {
        @Override
        protected Source<String> source() {
            return Sources.map(Samplers.shuffled(100, 42).even(Even.REPEAT), index -> "number " + index);
        }
    }

    @Nested
    class Sequential extends SourceConformance<Long> {
        @Override
        protected Source<Long> source() {
            return Samplers.sequential(10);
        }
    }

    @Nested
    class ClassBalanced extends SourceConformance<Long> {
        @Override
        protected Source<Long> source() {
            return Samplers.classBalanced(new int[] {0, 1, 1, 2, 2, 2}, 40, 1);
        }
    }

    @Nested
    class BatchesOfSimilarLength extends SourceConformance<IndexBatch> {
        @Override
        protected Source<IndexBatch> source() {
            int[] lengths = IntStream.range(0, 200).map(i -> 1 + i % 50).toArray();
            return BatchSampler.byTokens(lengths, 100).shuffled(1);
        }
    }

    @Nested
    class BatchesOfEqualCost extends SourceConformance<IndexBatch> {
        @Override
        protected Source<IndexBatch> source() {
            int[] lengths = IntStream.range(0, 200).map(i -> 1 + i % 50).toArray();
            SampleCost tokens = SampleCost.of(lengths);
            return BalancedBatchSampler.of(lengths.length, tokens, 100, tokens.squared())
                    .window(10)
                    .shuffled(1);
        }
    }

    @Nested
    class ShardsMixedInWindows extends SourceConformance<String> {
        @Override
        protected Source<String> source() {
            List<Source<String>> shards = IntStream.range(0, 5)
                    .mapToObj(shard -> Sources.indexed(20 + shard, index -> shard + "/" + index))
                    .toList();
            return ShardStream.of(shards).shuffled(3).interleaved(2).window(16);
        }
    }
}
