package org.jspdl.spark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspdl.data.storage.Location;

/// A driver in a process of its own, with two executors in others, some of which it kills at random moments.
final class ClusterProgram {
    private static final int LONGEST_PEACE_MILLIS = 1_500;

    private ClusterProgram() {}

    /// Packs `plan.yaml` of a folder, or writes its photographs as a table.
    ///
    /// @param arguments the folder, where to, samples in a shard, executors to kill, seed, `plan` or `table`
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        int mostKills = Integer.parseInt(arguments[3]);
        SparkSession spark = session(folder, mostKills);
        CountDownLatch done = new CountDownLatch(1);
        AtomicInteger kills = new AtomicInteger();
        Thread killer = Thread.ofPlatform()
                .name("killer")
                .start(() -> kill(mostKills, Long.parseLong(arguments[4]), done, kills));
        try {
            long samples = arguments[5].equals("table")
                    ? table(spark, folder, arguments[1], arguments[2])
                    : PlanJob.of("plan.yaml", Files.readString(folder.resolve("plan.yaml")))
                            .in(folder)
                            .samplesPerShard(Long.parseLong(arguments[2]))
                            .run(spark, Location.of(arguments[1]))
                            .samples();
            System.out.println("packed " + samples + " with " + kills + " kills");
        } finally {
            done.countDown();
            killer.join();
            spark.stop();
        }
    }

    /// The photographs as shards.
    static long table(SparkSession spark, Path folder, String to, String samples) {
        Dataset<Row> photos = spark.read()
                .format("jspdl")
                .option("samplesPerPartition", samples)
                .load(folder.resolve("photos").toString())
                .selectExpr("_index", "bytes AS jpg", "label AS cls");
        photos.write().format("jspdl").save(to);
        return photos.count();
    }

    private static SparkSession session(Path folder, int mostKills) {
        return SparkSession.builder()
                .master("local-cluster[2,1,1024]")
                .appName("jspdl cluster")
                .config("spark.ui.enabled", "false")
                .config("spark.master.ui.port", "0")
                .config("spark.worker.ui.port", "0")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.executor.memory", "512m")
                .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .config(
                        "spark.executor.extraJavaOptions",
                        "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED "
                                + System.getProperty("executors.options", ""))
                // Executors that can't be started end the job, those that are killed do not.
                .config("spark.deploy.maxExecutorRetries", Integer.toString(5 + mostKills))
                .config("spark.task.maxFailures", Integer.toString(4 + mostKills))
                .config("spark.speculation", "true")
                .config("spark.speculation.interval", "50ms")
                .config("spark.speculation.quantile", "0.1")
                .config("spark.speculation.multiplier", "1.1")
                .config("spark.speculation.minTaskRuntime", "50ms")
                .config("spark.local.dir", folder.resolve("scratch").toString())
                .config(
                        "spark.sql.warehouse.dir",
                        folder.resolve("warehouse").toUri().toString())
                .getOrCreate();
    }

    /// Kills executors until so many are killed, or the job is done.
    private static void kill(int most, long seed, CountDownLatch done, AtomicInteger kills) {
        Random random = new Random(seed);
        try {
            while (kills.get() < most && !done.await(random.nextInt(LONGEST_PEACE_MILLIS), TimeUnit.MILLISECONDS)) {
                List<ProcessHandle> executors = ProcessHandle.current()
                        .children()
                        .filter(ClusterProgram::isJava)
                        .toList();
                if (!executors.isEmpty()
                        && executors.get(random.nextInt(executors.size())).destroyForcibly()) {
                    kills.incrementAndGet();
                }
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /// The only programs in Java that a driver starts are executors. Their arguments can't tell, since a system
    /// keeps only the first of them where a class path is long.
    private static boolean isJava(ProcessHandle child) {
        return child.info()
                .command()
                .filter(program -> program.endsWith("/java"))
                .isPresent();
    }
}
