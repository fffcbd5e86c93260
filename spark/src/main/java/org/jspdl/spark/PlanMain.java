package org.jspdl.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.storage.Location;
import org.jspdl.plan.PlanException;
import org.jspdl.spark.internal.PlanFile;

/// The program that `jspdl spark` submits: a [PlanJob] of a plan in a file.
///
/// `spark-submit --class org.jspdl.spark.PlanMain ... jspdl-spark.jar plan.yaml --to DIR [--samples N] [--format NAME]
/// [--overwrite]`
public final class PlanMain {
    private static final String USAGE =
            "PLAN --to DIR [--samples N] [--format webdataset|parquet|mds] [--task-memory MIB] [--overwrite]";

    private PlanMain() {}

    /// Runs a job, and ends the process with 1 if it fails, 2 if it was told something wrong.
    public static void main(String[] arguments) {
        int code = 2;
        try {
            Location to = null;
            PlanJob job = null;
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--to" -> to = Location.of(value(arguments, ++i));
                    case "--samples" -> job = needed(job).samplesPerShard(number(value(arguments, ++i)));
                    case "--format" -> job = needed(job).shards(value(arguments, ++i));
                    case "--task-memory" -> job = needed(job).taskMemory(number(value(arguments, ++i)) << 20);
                    case "--overwrite" -> job = needed(job).overwrite();
                    default -> job = read(Path.of(arguments[i]));
                }
            }
            if (to == null) {
                throw new IllegalArgumentException("usage: " + USAGE);
            }
            code = run(needed(job), to);
        } catch (IllegalArgumentException | IllegalStateException | PlanException wrong) {
            System.err.println("jspdl: " + wrong.getMessage());
        } catch (IOException failure) {
            System.err.println("jspdl: " + failure.getMessage());
            code = 1;
        }
        if (code != 0) {
            Runtime.getRuntime().exit(code);
        }
    }

    private static int run(PlanJob job, Location to) throws IOException {
        SparkSession spark = SparkSession.builder()
                .appName("jspdl " + to.name().substring(to.name().lastIndexOf('/') + 1))
                .getOrCreate();
        try {
            PackedPlan.Result result = job.run(spark, to);
            System.out.println(String.format(
                    Locale.ROOT,
                    "%,d samples, %,d bytes, in %,d shards; %,d dropped by filters; %,d failed%s",
                    result.samples(),
                    result.bytes(),
                    result.shards().size(),
                    result.dropped(),
                    result.failed(),
                    result.failed() == 0 ? "" : ", listed in " + PackedPlan.QUARANTINE));
            return 0;
        } finally {
            spark.stop();
        }
    }

    private static PlanJob read(Path plan) throws IOException {
        PlanFile file = PlanFile.read(plan);
        PlanJob job = PlanJob.of(file.name(), file.text());
        return file.folder().map(job::in).orElse(job);
    }

    private static PlanJob needed(@org.jspecify.annotations.Nullable PlanJob job) {
        if (job == null) {
            throw new IllegalArgumentException("the plan comes first: " + USAGE);
        }
        return job;
    }

    private static String value(String[] arguments, int at) {
        if (at >= arguments.length) {
            throw new IllegalArgumentException(arguments[at - 1] + " needs a value: " + USAGE);
        }
        return arguments[at];
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("'" + text + "' is no whole number: " + USAGE, wrong);
        }
    }
}
