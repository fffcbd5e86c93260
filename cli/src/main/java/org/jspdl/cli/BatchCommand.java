package org.jspdl.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.run.BatchContents;
import org.jspdl.cli.run.OutputFile;
import org.jspdl.cli.settings.AccessArguments;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.plan.Operations;
import org.jspdl.plan.PlanException;
import org.jspdl.plan.record.RebuiltBatch;
import org.jspdl.plan.record.RecordedRun;
import org.jspdl.plan.record.SampleOrigin;
import org.jspdl.plan.record.SkipList;

/// `jspdl batch`: builds a batch of a recorded run again.
final class BatchCommand {
    static final CommandSpec SPEC = new CommandSpec(
            "batch",
            "",
            "Builds a batch of an earlier run again, to the bit, and prints what it holds: of a run that wrote a record, with"
                    + " 'jspdl run PLAN --record FOLDER'.",
            List.of(new CommandSpec.Group(
                    "Options",
                    List.of(
                            Option.valued("--run", "FOLDER", "The folder of the record."),
                            Option.valued("--rank", "N", "Whose batch (default 0)."),
                            Option.valued(
                                    "--step",
                                    "N",
                                    "Which batch, counted from 0 over all epochs, as the rank got them."),
                            Option.flag(
                                    "--inspect",
                                    "Also print each sample: its label and text, its file or shard, bytes, where these lie in the shard, and how it was augmented."),
                            Option.valued("--sheet", "FILE", "Draw its images as a PNG picture, eight in a row."),
                            Option.valued(
                                    "--skip",
                                    "FILE",
                                    "Add the step, or some of its samples, to a list for 'jspdl run --skip-list FILE'."),
                            Option.valued(
                                    "--samples",
                                    "N,...",
                                    "With --skip: add these samples of the batch, counted as --inspect does, and not the step."),
                            Option.flag("--json", "Print JSON."),
                            AccessArguments.ALLOW_LOCAL,
                            AccessArguments.ALLOW_HOSTS,
                            AccessArguments.STORAGE,
                            Option.flag("--help", "Show this help.")))),
            List.of(
                    "",
                    "Example",
                    "  jspdl run plan.yaml --record last-week",
                    "  jspdl batch --run last-week --step 81203 --inspect",
                    "",
                    "Exit codes: 0 built, 1 it cannot be built or would not be the same, 2 wrong option."));

    private final Terminal terminal;

    BatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException {
        String folder = line.text("--run").orElseThrow(() -> new UsageException("batch needs --run FOLDER"));
        if (!line.has("--step")) {
            throw new UsageException("batch needs --step N");
        }
        Path record = new RunArguments(line).localPath("--run", folder);
        int rank = line.integer("--rank", 0, 0, Integer.MAX_VALUE);
        long step = line.number("--step", 0, 0, Long.MAX_VALUE);
        StorageOptions storage = AccessArguments.storage(line);
        Optional<Path> sheet = new RunArguments(line).picture("--sheet");
        Optional<Path> skip = new RunArguments(line).writable("--skip");
        List<String> samples =
                line.text("--samples").map(all -> List.of(all.split(",", -1))).orElse(List.of());
        if (!samples.isEmpty() && skip.isEmpty()) {
            throw new UsageException("--samples needs --skip FILE");
        }
        try {
            RecordedRun recorded = RecordedRun.find(record, rank, step);
            try (RebuiltBatch batch =
                    recorded.rebuild(Operations.installed(), context -> context.offer(StorageOptions.class, storage))) {
                BatchContents contents = BatchContents.of(batch, step, rank);
                if (sheet.isPresent()) {
                    OutputFile.write(sheet.get(), batch::draw);
                }
                if (skip.isPresent()) {
                    String of = "rank " + rank + " of " + record.getFileName();
                    if (samples.isEmpty()) {
                        SkipList.add(skip.get(), step, of);
                    } else {
                        addSamples(skip.get(), samples, batch, "of step " + step + " of " + of);
                    }
                }
                terminal.out().print(line.has("--json") ? contents.json() : contents.text(line.has("--inspect")));
            }
            return Main.DONE;
        } catch (IllegalArgumentException | IllegalStateException | PlanException cannot) {
            terminal.err().println("jspdl: " + cannot.getMessage());
            return Main.FAILED;
        } catch (PipelineException failure) {
            terminal.err().println("jspdl: " + RunFailures.reason(failure));
            return Main.FAILED;
        }
    }

    private static void addSamples(Path list, List<String> samples, RebuiltBatch batch, String why)
            throws UsageException, IOException {
        List<SampleOrigin> origins = batch.origins();
        if (origins.isEmpty()) {
            throw new IllegalArgumentException("the plan does not say what samples were made from; leave out the step");
        }
        List<SampleOrigin> chosen = new ArrayList<>();
        for (String sample : samples) {
            if (!sample.matches("\\d{1,9}") || Integer.parseInt(sample) >= origins.size()) {
                throw new UsageException(
                        "--samples: '" + sample + "' is none of the batch's, which are 0 to " + (origins.size() - 1));
            }
            chosen.add(origins.get(Integer.parseInt(sample)));
        }
        for (SampleOrigin origin : chosen) {
            SkipList.add(list, origin.name(), why);
        }
    }
}
