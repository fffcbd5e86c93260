package org.jspdl.device.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentHashMap;
import org.jspdl.stats.StageObserver;

/// Begins a range with each call of a stage's function and ends it with the call.
final class NvtxObserver implements StageObserver {
    private final Nvtx library;
    /// Names as C strings; as many as there are stages.
    private final ConcurrentHashMap<String, MemorySegment> names = new ConcurrentHashMap<>();

    NvtxObserver(Nvtx library) {
        this.library = library;
    }

    /// An observer over the machine's library; one that does nothing if there is none.
    static StageObserver installed() {
        Nvtx library = Nvtx.installed();
        return library == null ? StageObserver.disabled() : new NvtxObserver(library);
    }

    @Override
    public void itemStarted(String stage, Object item) {
        if (!Thread.currentThread().isVirtual()) {
            library.push(names.computeIfAbsent(stage, name -> Arena.ofAuto().allocateFrom(name)));
        }
    }

    @Override
    public void itemEnded(String stage, long nanos, Outcome outcome) {
        if (!Thread.currentThread().isVirtual()) {
            library.pop();
        }
    }
}
