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

/// `jspdl spark-serve`: submits the workers of a data service to a cluster of Apache Spark.
final class SparkServeCommand {
    static final CommandSpec SPEC = new CommandSpec(
            "spark-serve",
            "PLAN",
            "Runs the workers of `jspdl serve PLAN` as a job of the Apache Spark in SPARK_HOME, with what its cluster"
                    + " manager lends them, until it is stopped.",
            List.of(new CommandSpec.Group(
                    "Options",
                    List.of(
                            Option.valued(
                                    "--addresses",
                                    "FOLDER",
                                    "Where each worker writes its address: a folder that executors and trainers"
                                            + " share."),
                            Option.valued("--workers", "N", "How many workers (default 1)."),
                            Option.flag("--anybody", "Answer other machines without a token."),
                            SparkSubmit.MASTER,
                            SparkSubmit.CONF,
                            SparkSubmit.JARS,
                            Option.flag("--help", "Show this help.")))),
            List.of(
                    "",
                    "Trainers name the folder: service: [\"file:///shared/workers\"]. They need the same",
                    "JSPDL_SERVICE_TOKEN; without one, and without --anybody, only the machine of a worker is answered.",
                    "",
                    "Examples",
                    "  jspdl spark-serve plan.yaml --workers 20 --addresses /shared/workers --master yarn",
                    "",
                    "Exit codes: those of spark-submit; 2 wrong option or plan, or no Spark."));

    private static final String MAIN = "org.jspdl.spark.ServeMain";

    private final Terminal terminal;
    private final Map<String, String> environment;

    SparkServeCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        RunArguments arguments = new RunArguments(line);
        SparkSubmit submit = new SparkSubmit(terminal, environment, line, arguments);
        List<String> program = new ArrayList<>(List.of(submit.plan().toString()));
        String addresses =
                line.text("--addresses").orElseThrow(() -> new UsageException("spark-serve needs --addresses FOLDER"));
        program.addAll(List.of(
                "--addresses",
                arguments
                        .localPath("--addresses", addresses)
                        .toAbsolutePath()
                        .normalize()
                        .toString(),
                "--workers",
                Integer.toString(line.integer("--workers", 1, 1, 65_536))));
        if (line.has("--anybody")) {
            program.add("--anybody");
        }
        return submit.run(MAIN, program);
    }
}
