package org.jspdl.pipeline.internal.run;

import java.lang.ref.WeakReference;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunHandle;
import org.jspdl.pipeline.Tuning;
import org.jspdl.stats.Change;
import org.jspdl.stats.PipelineStats;

/// A run for what goes on beside it, which must not keep an abandoned run from being found out.
record WeakHandle(WeakReference<? extends Run<?>> run) implements RunHandle {
    @Override
    public PipelineStats get() {
        return present().stats();
    }

    @Override
    public Change tune(Tuning tuning) {
        return present().tune(tuning);
    }

    private Run<?> present() {
        Run<?> present = run.get();
        if (present == null) {
            throw new IllegalStateException("the run was abandoned");
        }
        return present;
    }
}
