package org.jspdl.cli.spark;

import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleFinder;
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
import org.jspdl.cli.run.PlanJob;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.dataset.DatasetException;

/// Starts the `spark-submit` of the user's Spark with a program of jspdl-spark, and ends with it.
///
/// @param arguments those of `line`
public record SparkSubmit(
        Terminal terminal, Map<String, String> environment, CommandLine line, RunArguments arguments) {
    private static final String OURS = "jspdl-spark-";
    /// What a whole JDK has, and the runtime of the distribution has not.
    private static final String WHOLE = "java.se";

    public static final Option MASTER = Option.valued(
            "--master",
            "URL",
            "The cluster, as spark-submit has it: spark://host:7077, yarn, k8s://...,"
                    + " local[8] (default: as Spark is configured).");
    public static final Option CONF = Option.valued(
            "--conf", "FILE", "A file of Spark's settings, a name and a value on each line, as spark-defaults.conf.");
    public static final Option JARS = Option.valued(
            "--jars", "FOLDER", "The jars of jspdl-spark and what it needs (default: beside this program).");

    /// The plan of the command line.
    public Path plan() throws UsageException, DatasetException {
        String name = line.operand().orElseThrow(() -> new UsageException("a plan is needed"));
        Path plan = arguments.localPath("a plan", name);
        PlanJob.PlanText.require(plan);
        return plan.toAbsolutePath();
    }

    /// Runs a class of our jar with `program` for its arguments. The exit code is that of spark-submit.
    public int run(String main, List<String> program) throws UsageException, IOException, InterruptedException {
        ProcessBuilder submit = new ProcessBuilder(command(main, program));
        submit.environment().put("JAVA_HOME", javaHome(environment, ModuleFinder.ofSystem()));
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

    /// The Java that this runs on, unless that lacks what Spark needs.
    public static String javaHome(Map<String, String> environment, ModuleFinder system) throws UsageException {
        if (system.find(WHOLE).isPresent()) {
            return System.getProperty("java.home");
        }
        String home = environment.getOrDefault("JAVA_HOME", "");
        if (home.isBlank()) {
            throw new UsageException("JAVA_HOME is not set: Spark needs a whole JDK 25, and the Java that this program"
                    + " comes with is only a part of one");
        }
        return home;
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

    private List<String> command(String main, List<String> program) throws UsageException, IOException {
        List<Path> jars = jars();
        Path ours = jars.stream()
                .filter(jar -> jar.getFileName().toString().startsWith(OURS))
                .findFirst()
                .orElseThrow(() -> new UsageException("there is no " + OURS + "*.jar "
                        + line.text("--jars").map(folder -> "in " + folder).orElse("beside this program")
                        + ": name the folder of its jars with --jars (docs/how-to/spark.md says how to get them)"));
        List<String> command = new ArrayList<>(List.of(submit().toString(), "--class", main));
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
        command.add(ours.toString());
        command.addAll(program);
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
    private List<Path> jars() throws UsageException, IOException {
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
