package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspdl.source.Position;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A failed run says what failed, where, and for which item.
class PipelineExceptionTest {
    private static PipelineException failureOf(Pipeline<?> pipeline) {
        return catchThrowableOfType(PipelineException.class, () -> Runs.deliveries(pipeline));
    }

    private static Long failAtTwo(long item) {
        if (item == 2) {
            throw new IllegalStateException("two");
        }
        return item;
    }

    static StageOptions[] threads() {
        return new StageOptions[] {StageOptions.cpu(2), StageOptions.io(2), StageOptions.dedicated()};
    }

    private static void assertPlace(PipelineException failure) {
        assertThat(failure.place().map(FailedItem.Place::position).map(Position::index))
                .isEqualTo(Optional.of(2L));
        assertThat(failure.place().map(FailedItem.Place::epoch)).isEqualTo(Optional.of(0L));
    }

    @ParameterizedTest
    @MethodSource("threads")
    void aFunctionThatFailsNamesItsStageAndItem(StageOptions options) {
        PipelineException failure =
                failureOf(Pipeline.from(Sources.range(4)).pipe("decode", PipelineExceptionTest::failAtTwo, options));

        assertThat(failure.kind()).isEqualTo(PipelineException.Kind.FUNCTION);
        assertThat(failure.stage()).isEqualTo("decode");
        assertPlace(failure);
    }

    @Test
    void tooManyFailuresAreOfTheirOwnKind() {
        PipelineException failure = failureOf(Pipeline.from(Sources.range(4))
                .pipe(
                        "decode",
                        PipelineExceptionTest::failAtTwo,
                        StageOptions.cpu(1).failures(FailurePolicy.skip(0))));

        assertThat(failure.kind()).isEqualTo(PipelineException.Kind.TOO_MANY_FAILURES);
        assertThat(failure.stage()).isEqualTo("decode");
    }

    @Test
    void aSourceThatFailsNamesThePositionThatItCouldNotRead() {
        PipelineException failure = failureOf(Pipeline.from(Sources.indexed(4, PipelineExceptionTest::failAtTwo))
                .map(item -> item));

        assertThat(failure.kind()).isEqualTo(PipelineException.Kind.SOURCE);
        assertPlace(failure);
    }

    @Test
    void anItemWithoutABranchIsOfItsOwnKind() {
        PipelineException failure = failureOf(Pipeline.from(Sources.range(4))
                .route("size", item -> item < 2)
                .when(true, each -> each)
                .merge());

        assertThat(failure.kind()).isEqualTo(PipelineException.Kind.NO_BRANCH);
        assertThat(failure.stage()).isEqualTo("size");
        assertPlace(failure);
    }

    @Test
    void aQuarantineThatFailsIsNoFailureOfTheFunction() {
        FailurePolicy policy = FailurePolicy.skip(3).quarantine(item -> {
            throw new UncheckedIOException(new java.io.IOException("disk full"));
        });
        PipelineException failure = failureOf(Pipeline.from(Sources.range(4))
                .pipe(
                        "decode",
                        PipelineExceptionTest::failAtTwo,
                        StageOptions.cpu(1).failures(policy)));

        assertThat(failure.kind()).isEqualTo(PipelineException.Kind.ENVIRONMENT);
    }
}
