package org.jspdl.media.internal.isolation;

import java.io.IOException;
import java.lang.foreign.Arena;
import org.jspdl.media.internal.codec.FailingHelper;

/// Work of a helper whose library crashes over some sources and spins over others: which, is in their content.
public record FailingWork(MediaServer.Work work) implements MediaServer.Work {
    /// The name of a source over which the helper ends as if a terminal had told it to.
    public static final String TOLD_TO_END = "told to end";

    private static final int SIGTERM = 128 + 15;

    @Override
    public void answer(MediaRequest request) throws IOException {
        if (request.source().name().equals(TOLD_TO_END)) {
            Runtime.getRuntime().halt(SIGTERM);
        }
        try (Arena arena = Arena.ofConfined()) {
            FailingHelper.fail(request.source().view(arena).orElseThrow());
        }
        work.answer(request);
    }
}
