package org.jspdl.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CloseablesTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void oneThatFailsLeavesNoneOfTheOthersOpen() {
        IOException first = new IOException("first");
        IllegalStateException second = new IllegalStateException("second");

        assertThatThrownBy(() -> Closeables.closeAll(
                        List.of(closing("a"), failing(first), closing("b"), failing(second), closing("c"))))
                .isInstanceOf(UncheckedIOException.class)
                .hasCause(first)
                .hasSuppressedException(second);

        assertThat(closed).containsExactly("a", "b", "c");
    }

    @Test
    void aFailureThatIsThrownTwiceIsNotItsOwnSuppressed() {
        IllegalStateException same = new IllegalStateException("same");

        assertThatThrownBy(() -> Closeables.closeAll(List.of(failing(same), failing(same))))
                .isSameAs(same)
                .hasNoSuppressedExceptions();
    }

    @Test
    void anItemIsClosedAtAnyDepth() {
        Closeables.closeItem(List.of(
                closing("a"),
                "text",
                Map.of("key", List.of(closing("b"))),
                Optional.of(closing("c")),
                Optional.empty()));
        Closeables.closeItem(null);

        assertThat(closed).containsExactly("a", "b", "c");
    }

    private AutoCloseable closing(String name) {
        return () -> closed.add(name);
    }

    private static AutoCloseable failing(Exception failure) {
        return () -> {
            throw failure;
        };
    }
}
