package org.jspdl.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.dataset.DatasetException;

/// `jspdl spark`: submits a plan to a cluster of Apache Spark. This program has no Spark: it starts the user's.
final class SparkCommand {
    static final CommandSpec SPEC = new CommandSpec(
            "spark",
            "PLAN",
            "Packs what a plan makes of a dataset on a cluster, by the Apache Spark in SPARK_HOME: the shards that `jspdl pack"
                    + " PLAN` makes on one machine.",
            List.of(
                    new CommandSpec.Group(
                            "What is written",
                            List.of(
                                    Option.valued(
                                            "--to",
                                            "FOLDER",
                                            "Where the shards go: a folder that the driver and all executors share. It"
                                                    + " appears complete or not at all."),
                                    Option.valued(
                                            "--samples", "N", "Places of the dataset in a shard (default 10,000)."),
                                    Option.valued(
                                            "--format", "NAME", "What shards are: tar (the default), parquet or mds."),
                                    Option.flag(
                                            "--overwrite",
                                            "Replace what is in FOLDER when the new shards are complete."))),
                    new CommandSpec.Group(
                            "Where it runs",
                            List.of(
                                    Option.valued(
                                            "--master",
                                            "URL",
                                            "The cluster, as spark-submit has it: spark://host:7077, yarn, k8s://...,"
                                                    + " local[8] (default: as Spark is configured)."),
                                    Option.valued(
                                            "--conf",
                                            "FILE",
                                            "A file of Spark's settings, a name and a value on each line, as"
                                                    + " spark-defaults.conf."),
                                    Option.valued(
                                            "--jars",
                                            "FOLDER",
                                            "The jars of jspdl-spark and what it needs (default: beside this program)."),
                                    Option.valued(
                                            "--task-memory",
                                            "MIB",
                                            "What a task needs outside the heap, which memoryOverhead is checked against"
                                                    + " (default 64)."),
                                    Option.flag("--help", "Show this help.")))),
            List.of(
                    "",
                    "Examples",
                    "  jspdl spark plan.yaml --to /shared/resized --master spark://head:7077",
                    "  jspdl spark plan.yaml --to resized --master 'local[4]' --samples 1000",
                    "",
                    "Exit codes: those of spark-submit; 2 wrong option or plan, or no Spark."));

    private static final String MAIN = "org.jspdl.spark.PlanMain";
    private static final String OURS = "jspdl-spark-";

    private final Terminal terminal;
    private final Map<String, String> environment;

    SparkCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        RunArguments arguments = new RunArguments(line);
        Path plan = arguments.localPath(
                "a plan", line.operand().orElseThrow(() -> new UsageException("spark needs a plan")));
        if (!Files.isRegularFile(plan)) {
            throw new DatasetException("there is no plan at " + plan);
        }
        ProcessBuilder submit = new ProcessBuilder(command(line, arguments, plan));
        submit.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // Through our own streams, so that it ends with this process and a test can read it.
        Process process = submit.redirectErrorStream(false).start();
        Thread errors = Thread.ofPlatform().name("spark-submit-errors").start(() -> copy(process, true));
        try {
            copy(process, false);
            errors.join();
            return process.waitFor();
        } finally {
            process.destroy(); // which has Spark end what it started
        }
    }

    private void copy(Process process, boolean errors) {
        try (var lines = errors ? process.errorReader() : process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                (errors ? terminal.err() : terminal.out()).println(line);
            }
        } catch (IOException ended) {
            terminal.err().println("jspdl: the output of spark-submit ended: " + ended.getMessage());
        }
    }

    private List<String> command(CommandLine line, RunArguments arguments, Path plan)
            throws UsageException, IOException {
        String to = line.text("--to").orElseThrow(() -> new UsageException("spark needs --to FOLDER"));
        String format = line.text("--format").orElse("tar");
        if (!List.of("tar", "parquet", "mds").contains(format)) {
            throw new UsageException("--format must be tar, parquet or mds but was '" + format + "'");
        }
        List<Path> jars = jars(line, arguments);
        Path ours = jars.stream()
                .filter(jar -> jar.getFileName().toString().startsWith(OURS))
                .findFirst()
                .orElseThrow(() -> new UsageException("there is no " + OURS + "*.jar "
                        + line.text("--jars").map(folder -> "in " + folder).orElse("beside this program")
                        + ": name the folder of its jars with --jars (docs/how-to/spark.md says how to get them)"));
        List<String> command = new ArrayList<>(List.of(submit().toString(), "--class", MAIN));
        line.text("--master").ifPresent(master -> command.addAll(List.of("--master", master)));
        if (line.text("--conf").isPresent()) {
            Path settings = arguments.localPath("--conf", line.text("--conf").get());
            command.addAll(List.of("--properties-file", settings.toString()));
        }
        String others = jars.stream()
                .filter(jar -> !jar.equals(ours))
                .map(Path::toString)
                .collect(Collectors.joining(","));
        if (!others.isEmpty()) {
            command.addAll(List.of("--jars", others));
        }
        command.addAll(List.of(
                ours.toString(),
                plan.toAbsolutePath().toString(),
                "--to",
                arguments.localPath("--to", to).toAbsolutePath().normalize().toString(),
                "--samples",
                Long.toString(line.number("--samples", 10_000, 1, Long.MAX_VALUE)),
                "--format",
                format.equals("tar") ? "webdataset" : format,
                "--task-memory",
                Integer.toString(line.integer("--task-memory", 64, 0, 1 << 20))));
        if (line.has("--overwrite")) {
            command.add("--overwrite");
        }
        return command;
    }

    private Path submit() throws UsageException {
        String home = environment.getOrDefault("SPARK_HOME", "");
        if (home.isBlank()) {
            throw new UsageException(
                    "SPARK_HOME is not set: set it to the folder of Apache Spark 4.2 or newer, in which bin/spark-submit is");
        }
        Path submit = Path.of(home, "bin", "spark-submit");
        if (!Files.isExecutable(submit)) {
            throw new UsageException("SPARK_HOME is " + home + ", but there is no bin/spark-submit in it");
        }
        return submit;
    }

    /// The jars of our program for Spark: those of a folder, or those that this program runs with and beside them.
    private static List<Path> jars(CommandLine line, RunArguments arguments) throws UsageException, IOException {
        Optional<String> given = line.text("--jars");
        if (given.isPresent()) {
            Path folder = arguments.localPath("--jars", given.get());
            if (!Files.isDirectory(folder)) {
                throw new UsageException("--jars must be a folder of jars, but there is none at " + folder);
            }
            return jarsIn(folder);
        }
        List<Path> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path jar = Path.of(entry).toAbsolutePath();
            if (entry.endsWith(".jar") && Files.isRegularFile(jar)) {
                jars.add(jar);
            }
        }
        if (!jars.isEmpty()) {
            Path spark = jars.getFirst().resolveSibling("spark");
            jars.addAll(Files.isDirectory(spark) ? jarsIn(spark) : List.of());
        }
        return jars;
    }

    private static List<Path> jarsIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder.toAbsolutePath())) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }
}
