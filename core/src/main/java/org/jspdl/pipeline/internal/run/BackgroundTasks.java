package org.jspdl.pipeline.internal.run;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspdl.pipeline.BackgroundTask;
import org.jspdl.pipeline.RunHandle;
import org.jspdl.pipeline.internal.stage.Deadlines;

/// The threads that go on beside a run without being part of it: background tasks and the watcher of deadlines.
final class BackgroundTasks {

    private final String pipeline;
    private final List<Thread> tasks = new ArrayList<>();
    private final Deadlines deadlines;
    private volatile boolean joined;

    BackgroundTasks(String pipeline) {
        this.pipeline = pipeline;
        this.deadlines = new Deadlines("jspdl-" + pipeline + "-deadlines");
    }

    /// The watcher of deadlines.
    Deadlines deadlines() {
        return deadlines;
    }

    void startTasks(Map<String, BackgroundTask> background, RunHandle handle) {
        background.forEach((name, task) -> tasks.add(
                Thread.ofVirtual().name("jspdl-" + pipeline + "-" + name).start(() -> run(name, task, handle))));
    }

    private void run(String name, BackgroundTask task, RunHandle handle) {
        try {
            task.run(handle);
        } catch (InterruptedException closed) {
            // The run is being closed.
        } catch (Throwable failure) {
            System.getLogger(BackgroundTasks.class.getName())
                    .log(
                            Level.WARNING,
                            "background task '" + name + "' of pipeline '" + pipeline + "' failed",
                            failure);
        }
    }

    void stop() {
        tasks.forEach(Thread::interrupt);
        deadlines.stop();
    }

    /// Waits for the threads until `deadline` ([System#nanoTime]).
    void join(long deadline) throws InterruptedException {
        List<Thread> all = new ArrayList<>(tasks);
        all.add(deadlines.thread());
        for (Thread thread : all) {
            if (thread != Thread.currentThread() && thread.getState() != Thread.State.NEW) {
                thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            }
        }
        joined = true;
    }

    /// Whether a thread has waited for them.
    boolean isJoined() {
        return joined;
    }
}
