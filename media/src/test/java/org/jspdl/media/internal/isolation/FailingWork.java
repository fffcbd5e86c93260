package org.jspdl.media.internal.isolation;

import java.io.IOException;
import java.lang.foreign.Arena;
import org.jspdl.media.internal.codec.FailingHelper;

/// Work of a helper whose library crashes over some sources and spins over others: which, is in their content.
public record FailingWork(MediaServer.Work work) implements MediaServer.Work {
    @Override
    public void answer(MediaRequest request) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            FailingHelper.fail(request.source().view(arena).orElseThrow());
        }
        work.answer(request);
    }
}
