package org.jspdl.device.cuda;

import org.jspdl.stats.StageObserver;

/// Shows each call of a stage's function as a range in the timeline of NVIDIA's profilers, named after the stage.
public final class NvtxRanges {
    private NvtxRanges() {}

    /// An observer to give to a run.
    ///
    /// Stages on virtual threads are left out, since ranges belong to threads of the system. Does nothing where the
    /// library of NVTX is missing: `libnvToolsExt.so.1`, or `libnvtx3interop.so` since CUDA 12.9.
    public static StageObserver observer() {
        return NvtxObserver.installed();
    }
}
