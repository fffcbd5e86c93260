package org.jspdl.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.spark.SparkSubmit;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.storage.Location;

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
                                            "Where the shards go: a folder that the driver and all executors share, which"
                                                    + " appears complete or not at all; or s3://bucket/folder, whose index"
                                                    + " comes last."),
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
                                    SparkSubmit.MASTER,
                                    SparkSubmit.CONF,
                                    SparkSubmit.JARS,
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

    private final Terminal terminal;
    private final Map<String, String> environment;

    SparkCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        RunArguments arguments = new RunArguments(line);
        SparkSubmit submit = new SparkSubmit(terminal, environment, line, arguments);
        List<String> program = new ArrayList<>(List.of(submit.plan().toString()));
        String to = line.text("--to").orElseThrow(() -> new UsageException("spark needs --to FOLDER"));
        String format = line.text("--format").orElse("tar");
        if (!List.of("tar", "parquet", "mds").contains(format)) {
            throw new UsageException("--format must be tar, parquet or mds but was '" + format + "'");
        }
        Object target = Location.of(to).isRemote()
                ? to
                : arguments.localPath("--to", to).toAbsolutePath().normalize();
        program.addAll(List.of(
                "--to",
                target.toString(),
                "--samples",
                Long.toString(line.number("--samples", 10_000, 1, Long.MAX_VALUE)),
                "--format",
                format.equals("tar") ? "webdataset" : format,
                "--task-memory",
                Integer.toString(line.integer("--task-memory", 64, 0, 1 << 20))));
        if (line.has("--overwrite")) {
            program.add("--overwrite");
        }
        return submit.run(MAIN, program);
    }
}
