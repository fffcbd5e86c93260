package org.jspdl.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspdl.pipeline.RunExtension;
import org.jspdl.pipeline.RunHandle;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.stats.PipelineStats;

/// Watches every run of a program that was not written for it: with `-Djspdl.profile=FOLDER`, or `JSPDL_PROFILE` in the
/// environment, each run writes its report into that folder when it is closed, as `PIPELINE-PID-N.html`.
///
/// A run that is watched anyway is left alone.
public final class ProfilingSwitch implements RunExtension {
    /// Made by [java.util.ServiceLoader].
    public ProfilingSwitch() {}

    @Override
    public RunOptions extended(RunOptions options) {
        if (options.background().containsKey(Watch.TASK)) {
            return options;
        }
        Path folder =
                Path.of(System.getProperty("jspdl.profile", Objects.toString(System.getenv("JSPDL_PROFILE"), "")));
        Watch watch = Watch.create().explainStalls();
        return watch.on(options).background("profile", run -> report(run, watch, folder));
    }

    private void report(RunHandle run, Watch watch, Path folder) throws IOException, InterruptedException {
        while (!Thread.interrupted()) { // files are not written on a thread that is interrupted
            LockSupport.park(this);
        }
        watch.awaitLast();
        PipelineStats stats = run.get();
        Files.createDirectories(folder);
        String name = stats.pipeline().replaceAll("[^A-Za-z0-9_.-]", "_") + "-"
                + ProcessHandle.current().pid() + "-";
        for (int n = 1; ; n++) {
            Path file = folder.resolve(name + n + ".html");
            try {
                Files.createFile(file);
            } catch (java.nio.file.FileAlreadyExistsException taken) {
                continue;
            }
            try {
                watch.report(stats).writeHtml(file);
            } catch (IOException failure) {
                Files.delete(file); // half a page says nothing
                throw failure;
            }
            return;
        }
    }
}
