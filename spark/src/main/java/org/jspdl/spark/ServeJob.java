package org.jspdl.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.VoidFunction;
import org.apache.spark.sql.SparkSession;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.service.ClientOptions;
import org.jspdl.service.PieceServer;
import org.jspdl.service.ServerOptions;
import org.jspdl.spark.internal.ClusterCheck;

/// The workers of a data service as a job of Apache Spark, with what the cluster manager lends them: each task is a
/// worker, which decodes the images of a plan for trainers, until the job is canceled.
///
/// Each worker writes its address to a file of its own in a folder that trainers see, who name it as
/// `service: ["file:///shared/workers"]`. A worker that is lost is replaced by Spark, and its file with it. The token
/// is that of the environment, as for `jspdl serve`; without one, only the machine of a worker is answered, unless
/// anybody may ask. Immutable.
public final class ServeJob implements Serializable {
    private static final long serialVersionUID = 1;
    private static final Duration DRAINING = Duration.ofSeconds(8);

    private final String name;
    private final String text;
    private final String folder;
    private final String addresses;
    private final int workers;
    private final boolean anybody;

    private ServeJob(String name, String text, String folder, String addresses, int workers, boolean anybody) {
        this.name = name;
        this.text = text;
        this.folder = folder;
        this.addresses = addresses;
        this.workers = workers;
        this.anybody = anybody;
    }

    /// A job of one worker, whose plan's relative paths begin at the driver's folder.
    ///
    /// @param name      what messages call the plan; one that ends in `.json` says that the text is JSON
    /// @param text      of the plan
    /// @param addresses the folder for the addresses of workers, which is made; executors and trainers share it
    public static ServeJob of(String name, String text, Path addresses) {
        return new ServeJob(
                name,
                text,
                Path.of("").toAbsolutePath().toString(),
                addresses.toAbsolutePath().normalize().toString(),
                1,
                false);
    }

    /// This with relative paths of the plan that begin at `where`, on every executor.
    public ServeJob in(Path where) {
        return new ServeJob(name, text, where.toAbsolutePath().toString(), addresses, workers, anybody);
    }

    /// This with so many workers. Each takes the processors of a task (`spark.task.cpus`).
    public ServeJob workers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("workers must be at least 1 but was " + count);
        }
        return new ServeJob(name, text, folder, addresses, count, anybody);
    }

    /// This, answering other machines without a token.
    public ServeJob forAnybody() {
        return new ServeJob(name, text, folder, addresses, workers, true);
    }

    /// Runs the job until it is canceled or fails: this never ends otherwise. An interrupt of tasks ends workers
    /// when they have answered what is under way.
    ///
    /// @throws IOException if the folder can't be made, or workers failed more often than Spark tries a task
    /// @throws IllegalStateException if executors run an older Java
    public void run(SparkSession spark) throws IOException {
        ClusterCheck.check(spark, ClusterCheck.TASK_MEMORY);
        Files.createDirectories(Path.of(addresses));
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        spark.sparkContext().setInterruptOnCancel(true);
        List<Integer> numbers = IntStream.range(0, workers).boxed().toList();
        try {
            context.parallelize(numbers, workers).foreachPartition(new Task(this));
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) { // which Scala does not declare
            throw new IOException("the workers of " + name + " ended: " + failed.getMessage(), failed);
        }
    }

    private ServerOptions options() {
        ServerOptions options = ServerOptions.at(0)
                .limits(
                        2 * Math.max(1, TaskContext.get().cpus()),
                        ServerOptions.at(0).mostPlaces(),
                        ServerOptions.at(0).patience());
        Optional<String> token =
                Optional.ofNullable(System.getenv(ClientOptions.TOKEN_VARIABLE)).filter(set -> !set.isBlank());
        options = token.map(options::token).orElse(options);
        options = anybody ? options.forAnybody() : options;
        return token.isPresent() || anybody ? options.host("0.0.0.0") : options;
    }

    private void serve(int number) throws IOException {
        ServerOptions options = options();
        try (PieceServer server = PieceServer.start(
                Plan.of(name, text), Operations.installed(), PlanContext.in(Path.of(folder)), options)) {
            boolean isLocal = options.host().equals(ServerOptions.at(0).host());
            String host = isLocal
                    ? options.host()
                    : SparkEnv.get().blockManager().blockManagerId().host();
            Path file = Path.of(addresses, "worker-" + number);
            String address = "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port() + "\n";
            write(file, address);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException canceled) {
                end(server, file, address);
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void write(Path file, String address) throws IOException {
        Path written = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".new");
        try {
            Files.writeString(written, address);
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /// Another attempt may have taken the file over, whose address stays.
    private static void end(PieceServer server, Path file, String address) throws IOException {
        try {
            server.drain(DRAINING);
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
        }
        if (Files.exists(file) && Files.readString(file, StandardCharsets.UTF_8).equals(address)) {
            Files.deleteIfExists(file);
        }
    }

    /// A worker, on an executor.
    private record Task(ServeJob job) implements VoidFunction<Iterator<Integer>> {
        @Override
        public void call(Iterator<Integer> numbers) throws IOException {
            while (numbers.hasNext() && !Thread.currentThread().isInterrupted()) {
                job.serve(numbers.next());
            }
        }
    }
}
