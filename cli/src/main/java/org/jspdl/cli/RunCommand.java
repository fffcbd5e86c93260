package org.jspdl.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.compare.Comparison;
import org.jspdl.cli.compare.DataLoaderFigures;
import org.jspdl.cli.compare.DataLoaderRun;
import org.jspdl.cli.run.Baseline;
import org.jspdl.cli.run.ImageJob;
import org.jspdl.cli.run.ImagePlan;
import org.jspdl.cli.run.Observation;
import org.jspdl.cli.run.OutputFile;
import org.jspdl.cli.run.PlanJob;
import org.jspdl.cli.run.Prediction;
import org.jspdl.cli.run.Predictions;
import org.jspdl.cli.run.RunReport;
import org.jspdl.cli.run.RunSettings;
import org.jspdl.cli.settings.AccessArguments;
import org.jspdl.cli.settings.BudgetArgument;
import org.jspdl.cli.settings.CacheArguments;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.ProgressLine;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.observe.live.Live;
import org.jspdl.observe.report.ReportDocument;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.text.Figures;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.PlanException;

/// `jspdl run`: loads a dataset and reports how fast that was.
final class RunCommand {
    static final CommandSpec SPEC = new CommandSpec(
            "run",
            "DATASET",
            "Loads a dataset of images as a training job would, and reports the throughput and the bottleneck. DATASET is a folder"
                    + " with one sub-folder for each class, a text file with a path and a label on each line, a manifest (.csv, .tsv or .jsonl) with columns for both, shards such as 'train-{000..127}.tar' or a folder of them, or a plan (.yaml, .yml or .json), which names its own; without it, a sample dataset is"
                    + " used, which is made first if need be.",
            List.of(
                    new CommandSpec.Group(
                            "What each image becomes",
                            List.of(
                                    Option.valued("--size", "PIXELS", "Width and height of the crop (default 224)."),
                                    Option.valued(
                                            "--resize",
                                            "PIXELS",
                                            "Length of the shorter side before that (default 8/7 of the size: 256)."),
                                    Option.valued("--layout", "nchw|nhwc", "Channels first (default) or last."),
                                    Option.valued(
                                            "--dtype",
                                            "TYPE",
                                            "float32 (default), float16 or bfloat16 for values from 0 to 1, or uint8."),
                                    Option.valued(
                                            "--crop",
                                            "center|random|random-resized-crop",
                                            "The middle (default), any part, or a part of random area and aspect ratio"
                                                    + " resized to the size."),
                                    Option.valued("--flip", "P", "Flip horizontally with this probability (default 0).")
                                            .knownAs("--mirror", "--hflip"),
                                    Option.valued(
                                                    "--color-jitter",
                                                    "X or B,C,S,H",
                                                    "Change brightness, contrast, saturation and hue by up to so much; one"
                                                            + " number for the first three.")
                                            .knownAs("--jitter"),
                                    Option.flag("--normalize", "Shift and scale values as ImageNet's models expect."),
                                    Option.valued(
                                            "--quality",
                                            "LEVEL",
                                            "exact, default or fastest, see docs/how-to/images.md."),
                                    Option.valued(
                                            "--jpeg",
                                            "LIBRARY",
                                            "java (default, or best), turbojpeg or ffmpeg decodes JPEG."),
                                    Option.valued(
                                            "--isolation",
                                            "FILES",
                                            "auto (default), all or none: files to decode in a process that may crash."),
                                    Option.valued(
                                            "--decode-deadline",
                                            "TIME",
                                            "The time such a process has for a file (default 30s)."))),
                    new CommandSpec.Group(
                            "Which images, and in what order",
                            List.of(
                                    Option.valued("--batch-size", "N", "Images in a batch (default 64).")
                                            .knownAs("--batch", "--bs"),
                                    Option.valued(
                                            "--epochs",
                                            "N",
                                            "Passes over the dataset (default 1; 4 over the sample dataset)."),
                                    Option.valued(
                                            "--where",
                                            "FILTER",
                                            "Only rows of Parquet shards of which this is true, such as \"label < 10 and lang ="
                                                    + " 'en'\"; see docs/how-to/shards.md."),
                                    Option.flag("--shuffle", "Reshuffle every epoch."),
                                    Option.valued(
                                            "--seed",
                                            "N",
                                            "The key of that order and of all that is random; the same seed gives the same"
                                                    + " images (default 0)."),
                                    Option.valued("--rank", "N", "Load only this part of the dataset (default 0) ..."),
                                    Option.valued("--world-size", "N", "... of this many equal parts (default 1)."),
                                    Option.valued(
                                            "--even",
                                            "HOW",
                                            "How parts match: count (default), stop-together, repeat, or uneven for"
                                                    + " validation, see docs/how-to/shards.md."))),
                    new CommandSpec.Group(
                            "How it runs",
                            List.of(
                                    Option.valued(
                                                    "--workers",
                                                    "N|auto",
                                                    "Images decoded at once, or 'auto' (default) for what turns out best while the run"
                                                            + " goes on.")
                                            .knownAs("--concurrency", "--threads", "--num-workers", "--jobs"),
                                    Option.valued(
                                            "--order",
                                            "ORDER",
                                            "Fill batches in input order (default), or in the order of completion."),
                                    Option.valued(
                                            "--cache",
                                            "FOLDER",
                                            "Keep what was read in FOLDER, which several processes may share, or in"
                                                    + " memory if it is 'memory'."),
                                    Option.valued(
                                            "--cache-size",
                                            "SIZE",
                                            "Keep no more than this, such as 500M (default 10G, or 1G in memory)."),
                                    Option.valued(
                                            "--cache-peers",
                                            "A,B",
                                            "Ask the caches of other machines before the store, such as"
                                                    + " dns:///trainers:7070; see docs/how-to/caching.md."),
                                    Option.valued(
                                            "--cache-serve",
                                            "PORT",
                                            "Let other machines that have its token read the cache."),
                                    AccessArguments.STORAGE,
                                    Option.flag(
                                            "--trust-cache-folder",
                                            "Use the folder of --cache even if others can write on the way to it."),
                                    Option.flag(
                                            "--control", "Let 'jspdl top' of this user change the workers of stages."),
                                    Option.valued(
                                            "--max-failures",
                                            "N|N%",
                                            "Skip at most N files that cannot be read or decoded, and list them at"
                                                    + " the end; without it the first one ends the run."))),
                    new CommandSpec.Group(
                            "What data and plans from elsewhere may do",
                            List.of(
                                    AccessArguments.ALLOW_LOCAL,
                                    AccessArguments.ALLOW_HOSTS,
                                    Option.valued(
                                            "--quarantine-dir",
                                            "FOLDER",
                                            "A plan's quarantine lies beneath FOLDER, instead of beside the plan."))),
                    new CommandSpec.Group(
                            "What it prints",
                            List.of(
                                    Option.valued(
                                            "--json",
                                            "FILE",
                                            "Write the report to FILE for programs; - writes it to standard output instead of the"
                                                    + " report for people."),
                                    Option.valued(
                                            "--report",
                                            "FILE",
                                            "Write the report as a page with plots, for a browser; it also explains the longest"
                                                    + " stalls."),
                                    Option.valued(
                                            "--trace",
                                            "FILE",
                                            "Write what every thread did, for Perfetto (ui.perfetto.dev) or chrome://tracing."),
                                    Option.valued(
                                            "--preview",
                                            "FILE",
                                            "Draw the first batch as a PNG picture, to look at what images become."),
                                    Option.valued(
                                            "--baseline",
                                            "FILE",
                                            "Compare with the --json of an earlier run, and end with exit code 3 if throughput, CPU"
                                                    + " time, energy or bytes read for an item got worse by more than their noise."),
                                    Option.flag(
                                            "--explain",
                                            "Say before the start what will run where, the most memory and the throughput to expect,"
                                                    + " from a measurement of 2 to 15 s over the same data; and in the report how right"
                                                    + " that was."),
                                    Option.valued(
                                            "--budget",
                                            "Ncores,SIZE",
                                            "What 'auto' workers may use: processors, and memory of the process, such as"
                                                    + " 4cores,2GB (default all of the machine)."),
                                    Option.valued(
                                            "--compare",
                                            "PYTHON",
                                            "Load the same folder with PyTorch's DataLoader of this interpreter, too, and say how"
                                                    + " both compare after their warm-up; 4 epochs unless --epochs says otherwise."),
                                    Option.valued(
                                            "--record",
                                            "FOLDER",
                                            "Write what it takes to build any batch again, for 'jspdl batch'."),
                                    Option.valued(
                                            "--skip-list",
                                            "FILE",
                                            "Do not consume the steps and samples that FILE lists, as 'jspdl batch --skip' writes"
                                                    + " them; all others stay what and where they are."),
                                    Option.flag("--no-progress", "Print no progress."),
                                    Option.flag("--help", "Show this help.")))),
            List.of(
                    "",
                    "Examples",
                    "  jspdl run                                   the sample dataset, warm-up and all",
                    "  jspdl run photos --epochs 3 --shuffle       a folder of your own",
                    "  jspdl run train.txt --size 160 --batch-size 256  a file list, in small",
                    "  jspdl run s3://bucket/train.csv             a manifest and its images in an object store",
                    "  jspdl run 'https://host/train-{000..127}.tar' --shuffle   WebDataset shards, mixed",
                    "  jspdl run photos --crop random-resized-crop --flip 0.5 --preview sheet.png   see the augmentation",
                    "  jspdl run photos --report report.html       see why it is as fast as it is",
                    "  jspdl run photos --max-failures 1%          go on when a few files are broken",
                    "  jspdl run plan.yaml                         a pipeline of your own, as data",
                    "  jspdl run photos --explain                  what to expect, before the start",
                    "  jspdl run --compare python3                 beside PyTorch's DataLoader, on this machine",
                    "",
                    "Exit codes: 0 done, 1 the run failed, 2 wrong option or dataset, 3 worse than --baseline,",
                    "130 interrupted."));

    private final Terminal terminal;
    private final Map<String, String> environment;

    RunCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        RunArguments arguments = new RunArguments(line);
        RunSettings settings = arguments.settings();
        boolean showsProgress = !line.has("--no-progress");
        Optional<Path> json = arguments.json();
        Optional<Path> preview = arguments.picture("--preview");
        Optional<Baseline> baseline = arguments.baseline();
        Observation observation = new Observation(
                arguments.writable("--report"),
                arguments.writable("--trace"),
                line.has("--control") ? Live.controllable() : Live.readOnly(),
                AccessArguments.storage(line));
        observation.limit(BudgetArgument.of(line));
        Optional<DataLoaderRun> peer = arguments.compare();
        if (PlanCommand.isPlan(line)) {
            Path plan = arguments.localPath("a plan", line.operand().orElseThrow());
            return runPlan(plan, line, json, baseline, observation, showsProgress);
        }
        if (line.has("--quarantine-dir")) {
            throw new UsageException("--quarantine-dir is for plans; --max-failures lists the files that were skipped");
        }
        if (line.has("--budget") && !settings.loading().tunesWorkers()) {
            throw new UsageException(
                    "--budget limits the workers that 'auto' chooses: leave out --workers, or --budget");
        }
        Location location = line.operand().isPresent()
                ? arguments.location(line.operand().get())
                : Location.of(new SampleCommand(terminal, environment).standardSet(showsProgress));
        if (line.has("--record") || line.has("--skip-list")) {
            return runRecorded(arguments, location, settings, preview, json, baseline, observation, showsProgress);
        }
        try {
            Optional<Prediction> prediction = explained(line, () -> predict(line, location, settings));
            try (Storage storage = Storage.open(observation.storage());
                    CacheArguments.Opened cache = new CacheArguments(line).open()) {
                RunReport report = new ImageJob(cache.over(storage), location, settings, preview, observation)
                        .run(progress(showsProgress, "images"));
                return finish(report, compared(peer, location, report), prediction, line, json, baseline, observation);
            }
        } catch (PipelineException failure) {
            terminal.err().println("jspdl: " + RunFailures.explain(failure));
            return Main.FAILED;
        }
    }

    /// The same job, as the plan that the record will have.
    private int runRecorded(
            RunArguments arguments,
            Location location,
            RunSettings settings,
            Optional<Path> preview,
            Optional<Path> json,
            Optional<Baseline> baseline,
            Observation observation,
            boolean showsProgress)
            throws UsageException, IOException, InterruptedException {
        CommandLine line = arguments.line();
        for (String option : List.of("--jpeg", "--trust-cache-folder")) {
            if (line.has(option)) {
                throw new UsageException(option + " cannot be given with --record or --skip-list");
            }
        }
        ImagePlan plan = new ImagePlan(
                ImagePlan.named(location), settings, line.text("--max-failures"), new CacheArguments(line).ofPlan());
        try {
            PlanJob.PlanText text = plan.forRank();
            PlanContext context = observation.in(PlanCommand.context(Path.of(ImagePlan.NAME), line));
            Optional<Prediction> prediction =
                    explained(line, () -> Predictions.ofPlan(text, context, "images", BudgetArgument.of(line)));
            PlanJob job = new PlanJob(text, context, observation, arguments.record(), arguments.skipList());
            preview.ifPresent(png -> job.preview(png, settings.loading().image()));
            RunReport report = job.run(progress(showsProgress, "images"));
            return finish(report, List.of(), prediction, line, json, baseline, observation);
        } catch (PlanException wrong) {
            throw ImagePlan.unusable(wrong);
        } catch (PipelineException failure) {
            terminal.err().println("jspdl: " + RunFailures.explain(failure));
            return Main.FAILED;
        }
    }

    private int runPlan(
            Path file,
            CommandLine line,
            Optional<Path> json,
            Optional<Baseline> baseline,
            Observation observation,
            boolean showsProgress)
            throws UsageException, IOException, InterruptedException {
        try {
            PlanCommand.check(file, line);
            Optional<Prediction> prediction = explained(line, () -> PlanCommand.predict(file, line));
            RunReport report = PlanCommand.run(file, line, observation, progress(showsProgress, "items"));
            return finish(report, List.of(), prediction, line, json, baseline, observation);
        } catch (PipelineException failure) {
            terminal.err().println("jspdl: " + RunFailures.reason(failure));
            return Main.FAILED;
        }
    }

    /// A measurement before the run.
    @FunctionalInterface
    private interface Measurement {
        Prediction take() throws UsageException, IOException, InterruptedException;
    }

    /// The run beside a DataLoader over the same folder, for the report; none if that was interrupted or failed.
    private List<Section> compared(Optional<DataLoaderRun> peer, Location location, RunReport report)
            throws InterruptedException {
        if (peer.isEmpty()
                || report.interrupted()
                || report.subject().settings().isEmpty()) {
            return List.of();
        }
        terminal.err().println("jspdl: loading the same with PyTorch's DataLoader ...");
        try {
            DataLoaderFigures theirs =
                    peer.get().over(location.path(), report.subject().settings().get());
            return List.of(new Comparison(report, theirs).section());
        } catch (IOException failure) {
            terminal.err().println("jspdl: not compared: " + failure.getMessage());
            return List.of();
        }
    }

    /// What is to be expected, printed, if `--explain` asks for it.
    private Optional<Prediction> explained(CommandLine line, Measurement measurement)
            throws UsageException, IOException, InterruptedException {
        if (!line.has("--explain")) {
            return Optional.empty();
        }
        if (!line.has("--no-progress")) {
            terminal.err().println("jspdl: measuring for 2 to 15 s before the run ...");
        }
        Prediction prediction = measurement.take();
        PrintStream out = RunArguments.isStandardOutput(line) ? terminal.err() : terminal.out();
        out.println(prediction.text());
        return Optional.of(prediction);
    }

    private static Prediction predict(CommandLine line, Location location, RunSettings settings)
            throws UsageException, IOException, InterruptedException {
        try (Storage storage = Storage.open(AccessArguments.storage(line));
                CacheArguments.Opened cache = new CacheArguments(line).open()) {
            return Predictions.ofImages(
                    cache.over(storage), location, settings, cache.cache(), BudgetArgument.of(line));
        }
    }

    /// The exit code of a run, once it is compared with its baseline.
    private int code(RunReport report, Optional<Baseline> baseline) {
        if (report.interrupted()) {
            return Main.INTERRUPTED;
        }
        if (report.totalItems() == 0 && report.failures() > 0) {
            terminal.err()
                    .println("jspdl: nothing was loaded: "
                            + (report.failures() == 1
                                    ? "the one file that was read failed; the report lists it"
                                    : "each of the " + Figures.count(report.failures())
                                            + " files that were read failed; the report lists them"));
            return Main.FAILED;
        }
        if (baseline.isEmpty()) {
            return Main.DONE;
        }
        try {
            Baseline.Verdict verdict = baseline.get().compare(report.document().json());
            verdict.notCompared().forEach(why -> terminal.err().println("jspdl: not compared: " + why));
            verdict.worse().forEach(figure -> terminal.err().println("jspdl: worse than the baseline: " + figure));
            if (verdict.worse().isEmpty()) {
                terminal.err()
                        .println("jspdl: nothing that was compared is worse than in "
                                + baseline.get().file());
                return Main.DONE;
            }
            return Main.WORSE;
        } catch (IllegalArgumentException other) {
            terminal.err().println("jspdl: --baseline: " + other.getMessage());
            return Main.UNUSABLE;
        }
    }

    private ImageJob.ProgressSource progress(boolean shown, String things) {
        return total -> shown ? ProgressLine.of(terminal, "Loading", things, total) : ProgressLine.silent(terminal);
    }

    /// Prints the report, writes the files that were asked for, and compares with the baseline.
    private int finish(
            RunReport report,
            List<Section> compared,
            Optional<Prediction> prediction,
            CommandLine line,
            Optional<Path> json,
            Optional<Baseline> baseline,
            Observation observation)
            throws IOException {
        List<Section> more = new ArrayList<>(compared);
        prediction.ifPresent(predicted -> more.add(predicted.section(report)));
        ReportDocument document = report.document().with(List.of(), more);
        if (RunArguments.isStandardOutput(line)) {
            terminal.out().print(document.json());
        } else {
            terminal.out().print(document.text());
            if (json.isPresent()) {
                OutputFile.write(json.get(), document.json());
            }
        }
        observation.write(document);
        return code(report, baseline);
    }
}
