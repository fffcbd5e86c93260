package org.jspdl.python;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspdl.files.InputFile;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.Operations;
import org.jspdl.plan.record.RunDescription;
import org.jspdl.plan.record.RunNotes;
import org.jspdl.plan.record.RunRecorder;
import org.jspdl.plan.record.SkipList;

/// The record of a generation, from which its batches can be built again. Used by the thread that consumes the run.
final class Recording implements AutoCloseable {
    /// Far more than a plan may have, which says so itself.
    private static final int MOST_PLAN = 64 << 20;
    private final Path folder;
    private final RunRecorder recorder;

    private Recording(Path folder, RunRecorder recorder) {
        this.folder = folder;
        this.recorder = recorder;
    }

    /// The steps and samples that the trainer does not want.
    ///
    /// @throws IllegalArgumentException if the list can't be read, or is none
    static SkipList leftOut(Settings settings) {
        if (settings.skipList().isEmpty()) {
            return SkipList.NONE;
        }
        Path list = settings.skipList().get();
        try {
            return SkipList.of(list);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("skip_list=: " + list + " cannot be read: " + unreadable, unreadable);
        }
    }

    /// Begins the record in `folder`, or goes on with it.
    ///
    /// @param options of the run that is about to start
    /// @throws IllegalArgumentException if it can't be written
    static Recording begin(Path folder, Settings settings, RunOptions options, RunNotes notes) {
        try {
            String plan = settings.plan().isPresent()
                    ? settings.plan().get()
                    : InputFile.text(settings.folder().resolve(settings.name()), MOST_PLAN);
            RunDescription run = RunDescription.of(
                    settings.name(),
                    plan,
                    settings.folder(),
                    settings.rank(),
                    settings.worldSize(),
                    options,
                    Operations.installed().versions(),
                    notes);
            return new Recording(folder, RunRecorder.open(folder, run, notes, RunRecorder.INTERVAL));
        } catch (IOException unwritable) {
            throw new IllegalArgumentException("record=: " + folder + " cannot be written: " + unwritable, unwritable);
        }
    }

    /// Notes `item`, which `run` has delivered last and nobody has seen yet.
    ///
    /// @throws IllegalStateException if it can't be written: a run that is to be recorded does not go on without
    void delivered(Run<?> run, Object item) {
        try {
            recorder.delivered(run, item);
        } catch (IOException unwritable) {
            throw new IllegalStateException("record=: " + folder + " cannot be written: " + unwritable, unwritable);
        }
    }

    @Override
    public void close() {
        try {
            recorder.close();
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
