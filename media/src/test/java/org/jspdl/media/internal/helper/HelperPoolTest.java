package org.jspdl.media.internal.helper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HelperPoolTest {
    private static final HelperCommand COMMAND =
            new HelperCommand(Doubling.class, List.of(HelperServer.class), "no/such/resource", List.of());

    /// A helper that doubles a number, and ends at a negative one.
    static final class Doubling {
        private Doubling() {}

        public static void main(String[] arguments) throws IOException {
            HelperServer.serve(Path.of(arguments[0]), shared -> {
                int number = shared.get(ValueLayout.JAVA_INT, 0);
                if (number < 0) {
                    Runtime.getRuntime().halt(3);
                }
                shared.set(ValueLayout.JAVA_INT, 0, 2 * number);
            });
        }
    }

    private static int twice(Helper helper, int number) throws HelperLostException {
        MemorySegment shared = helper.memory(Integer.BYTES);
        shared.set(ValueLayout.JAVA_INT, 0, number);
        helper.call();
        return shared.get(ValueLayout.JAVA_INT, 0);
    }

    private static HelperPool pool() {
        return new HelperPool(COMMAND, Duration.ofSeconds(30).toNanos(), 1);
    }

    @Test
    void aHelperThatWasGivenBackServesTheNextCall() throws Exception {
        try (HelperPool pool = pool()) {
            Helper first = pool.take();
            assertThat(twice(first, 21)).isEqualTo(42);
            pool.release(first);

            Helper next = pool.take();
            assertThat(next).isSameAs(first);
            assertThat(twice(next, 4)).isEqualTo(8);
            pool.release(next);
        }
    }

    @Test
    void whoHasLostAHelperTakesOneThatAnotherGaveBack() throws Exception {
        try (HelperPool pool = pool()) {
            Helper one = pool.take();
            Helper other = pool.take();
            assertThatThrownBy(() -> twice(one, -1)).isInstanceOfSatisfying(HelperLostException.class, lost -> {
                assertThat(lost).hasMessageContaining("crashed (status 3)");
                pool.lost(one, lost);
            });
            pool.release(other);

            assertThat(pool.take()).isSameAs(other);
            pool.release(other);
            assertThat(pool.stats().crashed()).isEqualTo(1);
        }
    }

    @Test
    void theSparesOfTheStartAreThereBeforeTheFirstCall() throws Exception {
        try (HelperPool pool = new HelperPool(COMMAND, Duration.ofSeconds(30).toNanos(), 1, 3)) {
            Helper first = pool.take();
            assertThat(pool.stats().started()).isEqualTo(4);
            for (int call = 0; call < 3; call++) {
                Helper next = pool.take();
                assertThat(twice(next, 21)).isEqualTo(42);
                pool.release(next);
            }
            pool.release(first);
        }
    }

    @Test
    void aClosedPoolLeavesNoProcess() throws Exception {
        List<ProcessHandle> helpers;
        try (HelperPool pool = pool()) {
            pool.release(pool.take());
            helpers = ProcessHandle.current().children().toList();
            assertThat(helpers).isNotEmpty();
        }
        for (ProcessHandle helper : helpers) {
            helper.onExit().get();
        }
    }
}
