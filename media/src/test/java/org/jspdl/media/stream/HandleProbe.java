package org.jspdl.media.stream;

import java.util.List;
import org.jspdl.leakcheck.LeakProbe;
import org.jspdl.media.internal.lifetime.LiveHandles;

/// Finds native objects (packets, frames, codecs, containers) that a test forgot to close.
public final class HandleProbe implements LeakProbe {
    @Override
    public String name() {
        return "native media objects";
    }

    @Override
    public List<String> leaks() {
        long open = LiveHandles.count();
        return open == 0 ? List.of() : List.of(open + " packets, frames, codecs or containers are open");
    }
}
