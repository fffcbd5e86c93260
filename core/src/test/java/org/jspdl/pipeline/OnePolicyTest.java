package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One failure policy wherever the user's code runs.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OnePolicyTest {
    private static Long badSeventh(Long item) {
        if (item == 7) {
            throw new IllegalStateException("seven");
        }
        return item;
    }

    private static List<Long> allButTheSeventh() {
        return Runs.numbers(0, 20).stream().filter(item -> item != 7).toList();
    }

    @ParameterizedTest
    @EnumSource
    void aFailedItemIsSkippedAndNoOther(UserCodePlace place) {
        RunOptions options = RunOptions.defaults().failures(FailurePolicy.skip(1));

        assertThat(Runs.deliveries(place.pipeline(OnePolicyTest::badSeventh), options))
                .containsExactlyInAnyOrderElementsOf(allButTheSeventh());
    }

    @ParameterizedTest
    @EnumSource
    void oneFailureMoreThanThePolicySkipsEndsTheRun(UserCodePlace place) {
        RunOptions options = RunOptions.defaults().failures(FailurePolicy.skip(2));
        Pipeline<Long> pipeline = place.pipeline(item -> {
            if (item % 2 == 1) {
                throw new IllegalStateException("odd");
            }
            return item;
        });

        assertThatThrownBy(() -> Runs.deliveries(pipeline, options))
                .isInstanceOfSatisfying(
                        PipelineException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(PipelineException.Kind.TOO_MANY_FAILURES))
                .hasMessageContaining("more than the 2 allowed by skip");
    }

    @ParameterizedTest
    @EnumSource
    void aRateCountsAllCalls(UserCodePlace place) {
        RunOptions options = RunOptions.defaults().failures(FailurePolicy.skipRate(0.1, 20));

        assertThat(Runs.deliveries(place.pipeline(OnePolicyTest::badSeventh), options))
                .hasSize(19);
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatFailsFastNamesTheItemThatFailed(UserCodePlace place) {
        assertThatThrownBy(() -> Runs.deliveries(place.pipeline(OnePolicyTest::badSeventh)))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("failed at epoch 0, index ")
                .hasMessageContaining("seven")
                .extracting(failure -> ((PipelineException) failure)
                        .place()
                        .orElseThrow()
                        .position()
                        .index())
                // Of a batch, the first member is named.
                .isIn(6L, 7L);
    }

    @ParameterizedTest
    @EnumSource
    void theQuarantineIsToldOfTheItem(UserCodePlace place) {
        Queue<FailedItem> told = new ConcurrentLinkedQueue<>();
        RunOptions options =
                RunOptions.defaults().failures(FailurePolicy.skip(1).quarantine(told::add));

        assertThat(Runs.deliveries(place.pipeline(OnePolicyTest::badSeventh), options))
                .hasSize(19);
        assertThat(told).singleElement().satisfies(item -> {
            assertThat(item.cause()).hasMessage("seven");
            assertThat(item.places()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource
    void anErrorEndsTheRunWhateverThePolicy(UserCodePlace place) {
        RunOptions options =
                RunOptions.defaults().failures(FailurePolicy.skip(100).retry(3, Duration.ZERO));
        Pipeline<Long> pipeline = place.pipeline(item -> item == 7 ? overflow(item) : item);

        assertThatThrownBy(() -> Runs.deliveries(pipeline, options))
                .isInstanceOf(PipelineException.class)
                .hasCauseInstanceOf(StackOverflowError.class);
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptThatTheCodeLeavesBehindHarmsNothing(UserCodePlace place) {
        Pipeline<Long> pipeline = place.pipeline(item -> {
            Thread.currentThread().interrupt();
            return item;
        });

        assertThat(Runs.deliveries(pipeline)).hasSize(20);
        assertThat(Thread.interrupted()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedExceptionOfItsOwnFailsItsItem(UserCodePlace place) {
        RunOptions options = RunOptions.defaults().failures(FailurePolicy.skip(1));
        Pipeline<Long> pipeline = place.pipeline(item -> {
            if (item == 7) {
                throw new InterruptedException("of its own");
            }
            return item;
        });

        assertThat(Runs.deliveries(pipeline, options)).containsExactlyInAnyOrderElementsOf(allButTheSeventh());
    }

    @ParameterizedTest
    @EnumSource
    void callsOfFunctionsAreRepeatedAndWhatRunsBehindThemIsNot(UserCodePlace place) {
        ConcurrentHashMap<Long, AtomicInteger> calls = new ConcurrentHashMap<>();
        RunOptions options = RunOptions.defaults()
                .failures(FailurePolicy.skip(20).retry(2, Duration.ZERO).retry(3, Duration.ZERO));
        Pipeline<Long> pipeline = place.pipeline(item -> {
            if (calls.computeIfAbsent(item, _ -> new AtomicInteger()).incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            return item;
        });

        assertThat(Runs.deliveries(pipeline, options)).hasSize(place.retries() ? 20 : 0);
        assertThat(calls.values()).allSatisfy(count -> assertThat(count).hasValue(place.retries() ? 3 : 1));
    }

    @SuppressWarnings("InfiniteRecursion")
    private static long overflow(long depth) {
        return overflow(depth + 1) + 1;
    }
}
