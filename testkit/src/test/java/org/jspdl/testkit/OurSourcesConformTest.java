package org.jspdl.testkit;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.source.Samplers;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Nested;

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
    class ShuffledInOneOfThreeParts extends SourceConformance<Long> {
        @Override
        protected Source<Long> source() {
            return Samplers.shuffled(1_000, 42).shard(1, 3);
        }
    }

    @Nested
    class Sequential extends SourceConformance<Long> {
        @Override
        protected Source<Long> source() {
            return Samplers.sequential(10);
        }
    }
}
