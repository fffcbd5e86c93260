package org.jspdl.spark;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.jspdl.plan.PlanException;
import org.jspdl.service.ClientOptions;
import org.jspdl.spark.internal.PlanFile;

/// The program that `jspdl spark-serve` submits: a [ServeJob] of a plan in a file, until it is killed.
///
/// `spark-submit --class org.jspdl.spark.ServeMain ... jspdl-spark.jar plan.yaml --addresses DIR [--workers N]
/// [--anybody]`
public final class ServeMain {
    private static final String USAGE = "PLAN --addresses DIR [--workers N] [--anybody]";

    private ServeMain() {}

    /// Runs workers, and ends the process with 1 if they fail, 2 if it was told something wrong.
    public static void main(String[] arguments) {
        int code = 2;
        try {
            run(arguments);
            code = 0;
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

    private static void run(String[] arguments) throws IOException {
        Path plan = null;
        Path addresses = null;
        int workers = 1;
        boolean anybody = false;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--addresses" -> addresses = Path.of(value(arguments, ++i));
                case "--workers" -> workers = number(value(arguments, ++i));
                case "--anybody" -> anybody = true;
                default -> plan = Path.of(arguments[i]).toAbsolutePath();
            }
        }
        if (plan == null || addresses == null) {
            throw new IllegalArgumentException("usage: " + USAGE);
        }
        PlanFile file = PlanFile.read(plan);
        ServeJob read = ServeJob.of(file.name(), file.text(), addresses).workers(workers);
        ServeJob job = file.folder().map(read::in).orElse(read);
        job = anybody ? job.forAnybody() : job;
        SparkSession.Builder builder = SparkSession.builder().appName("jspdl workers of " + plan.getFileName());
        String token = System.getenv(ClientOptions.TOKEN_VARIABLE);
        if (token != null && !token.isBlank()) {
            builder.config("spark.executorEnv." + ClientOptions.TOKEN_VARIABLE, token);
        }
        SparkSession spark = builder.getOrCreate();
        System.out.println("jspdl: " + workers + " workers write their addresses in " + addresses.toAbsolutePath()
                + ": trainers say service: [\"" + addresses.toUri() + "\"]");
        try {
            job.run(spark);
        } finally {
            spark.stop();
        }
    }

    private static String value(String[] arguments, int at) {
        if (at >= arguments.length) {
            throw new IllegalArgumentException(arguments[at - 1] + " needs a value: " + USAGE);
        }
        return arguments[at];
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("'" + text + "' is no whole number: " + USAGE, wrong);
        }
    }
}
