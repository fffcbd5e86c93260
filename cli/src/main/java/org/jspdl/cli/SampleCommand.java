package org.jspdl.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.ProgressLine;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.sample.SampleFolder;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.observe.text.Figures;

/// `jspdl sample`: makes the sample dataset.
final class SampleCommand {
    static final CommandSpec SPEC = new CommandSpec(
            "sample",
            "DIR",
            "Makes the sample dataset in DIR, or in your cache folder, unless it is there: JPEG photographs in 10 classes, computed on this"
                    + " machine and the same on every other.",
            List.of(new CommandSpec.Group(
                    "Options",
                    List.of(
                            Option.valued("--images", "N", "How many images to make (default 500)."),
                            Option.flag("--no-progress", "Print no progress."),
                            Option.flag("--help", "Show this help.")))),
            List.of(
                    "",
                    "Examples",
                    "  jspdl sample photos --images 200",
                    "",
                    "Exit codes: 0 done, 1 the folder cannot be written or holds something else, 2 wrong option,",
                    "130 interrupted."));

    private final Terminal terminal;
    private final Map<String, String> environment;

    SampleCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        SampleSet set = new SampleSet(
                line.integer("--images", SampleSet.STANDARD.images(), 1, 1_000_000), SampleSet.STANDARD.seed());
        SampleFolder folder = line.operand().isPresent()
                ? SampleFolder.at(
                        new RunArguments(line).localPath("DIR", line.operand().get()), set)
                : inCache(set);
        ensure(folder, set, !line.has("--no-progress"));
        terminal.out().println(folder.path());
        return Main.DONE;
    }

    /// Where the standard sample set is, made first if it is missing.
    Path standardSet(boolean showsProgress) throws IOException, InterruptedException {
        SampleFolder folder = inCache(SampleSet.STANDARD);
        ensure(folder, SampleSet.STANDARD, showsProgress);
        return folder.path();
    }

    private SampleFolder inCache(SampleSet set) throws IOException {
        return SampleFolder.inCache(set, environment, Path.of(System.getProperty("user.home")));
    }

    private void ensure(SampleFolder folder, SampleSet set, boolean showsProgress)
            throws IOException, InterruptedException {
        if (folder.isComplete()) {
            return;
        }
        folder.requireVacant();
        if (showsProgress) {
            terminal.err()
                    .println("Making the sample dataset, once: " + Figures.count(set.images()) + " images in "
                            + folder.path());
        }
        ProgressLine progress =
                showsProgress ? ProgressLine.of(terminal, "Painting", set.images()) : ProgressLine.silent(terminal);
        try {
            folder.ensure(Runtime.getRuntime().availableProcessors(), progress::report);
        } catch (FileSystemException unwritable) {
            throw new IOException(
                    "cannot make the sample set at " + folder.path() + ": " + FailureReasons.withFile(unwritable)
                            + ". Name a folder of your own, or set XDG_CACHE_HOME.",
                    unwritable);
        } finally {
            progress.clear();
        }
    }
}
