package org.jspdl.pipeline.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.StagePredicate;
import org.jspdl.source.Source;

/// The description of a pipeline as a tree of steps, each with the step before it. Immutable; item types are erased.
public sealed interface Recipe {

    /// The step before this one; empty for a source.
    Optional<Recipe> input();

    /// Yields items.
    record From(Source<?> source, String name, Site site) implements Recipe {
        @Override
        public Optional<Recipe> input() {
            return Optional.empty();
        }
    }

    /// A cheap function run by the step before it.
    record Fused(Recipe before, FusedStep step) implements Recipe {
        @Override
        public Optional<Recipe> input() {
            return Optional.of(before);
        }
    }

    /// A stage of one function.
    record Pipe(Recipe before, String name, Body body, StageOptions options, Site site) implements Recipe {
        @Override
        public Optional<Recipe> input() {
            return Optional.of(before);
        }
    }

    /// Several items become a list.
    record Batch(Recipe before, int size, Remainder remainder, Optional<Duration> flushAfter, Site site)
            implements Recipe {
        @Override
        public Optional<Recipe> input() {
            return Optional.of(before);
        }
    }

    /// The elements of each item, one by one.
    record Unbatch(Recipe before, StageFunction<Object, Iterable<?>> elements, Site site) implements Recipe {
        @Override
        public Optional<Recipe> input() {
            return Optional.of(before);
        }
    }

    /// What a stage calls.
    sealed interface Body {
        /// A function of the item.
        record Plain(StageFunction<Object, Object> function) implements Body {}

        /// A function of the item and of randomness that belongs to it.
        record Seeded(SeededCall function) implements Body {}
    }

    /// A [Body.Seeded] function, erased.
    @FunctionalInterface
    interface SeededCall {
        /// The result for `item`.
        Object apply(Object item, RandomGenerator random) throws Exception;
    }

    /// A function fused into a stage.
    sealed interface FusedStep {
        /// Replaces the item.
        record Map(StageFunction<Object, Object> function) implements FusedStep {}

        /// Drops items.
        record Filter(StagePredicate<Object> predicate) implements FusedStep {}
    }

    /// Where in a program a step was added.
    record Site(String file, int line) {
        /// The first caller outside the library.
        public static Site capture() {
            return StackWalker.getInstance()
                    .walk(frames -> frames.filter(
                                    frame -> !frame.getClassName().startsWith("org.jspdl.pipeline.Pipeline"))
                            .filter(frame -> !frame.getClassName().startsWith("org.jspdl.pipeline.internal"))
                            .findFirst()
                            .map(frame -> new Site(
                                    Optional.ofNullable(frame.getFileName()).orElse("?"), frame.getLineNumber()))
                            .orElse(new Site("?", 0)));
        }

        @Override
        public String toString() {
            return file + ":" + line;
        }
    }
}
