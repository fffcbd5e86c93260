package org.jspdl.spark.internal;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.SparkConf;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/// Whether a cluster has what our tasks need, found out before the first of them: a JDK that is new enough, and memory
/// outside the heap.
public final class ClusterCheck {
    /// What a task needs outside the heap unless a user says otherwise.
    public static final long TASK_MEMORY = 64L << 20;

    public static final String OLD_JAVA =
            "executors run a Java older than 25: set spark.executorEnv.JAVA_HOME to a JDK 25 (YARN,"
                    + " standalone), or build the image on one (Kubernetes); see docs/how-to/spark.md";

    private static final int NEEDED = 25;
    private static final long LEAST_OVERHEAD = 384L << 20;

    private ClusterCheck() {}

    /// Fails before a job that the cluster could not run.
    ///
    /// @throws IllegalStateException if something is missing; the message says what to set
    public static void check(SparkSession spark, long taskMemory) {
        checkMemory(spark.sparkContext().getConf(), spark.sparkContext().master(), taskMemory);
        checkJava(spark);
    }

    /// Asks executors by functions of Spark itself, since none of our classes can be loaded by an older Java.
    private static void checkJava(SparkSession spark) {
        int tasks = Math.max(1, spark.sparkContext().defaultParallelism());
        List<Row> versions = spark.range(0, tasks, 1, tasks)
                .selectExpr("java_method('java.lang.System', 'getProperty', 'java.specification.version') AS version")
                .distinct()
                .collectAsList();
        Set<String> old = new TreeSet<>();
        versions.forEach(row -> {
            if (feature(row.getString(0)) < NEEDED) {
                old.add(row.getString(0));
            }
        });
        if (!old.isEmpty()) {
            throw new IllegalStateException(OLD_JAVA + " (found " + String.join(", ", old) + ")");
        }
    }

    /// The number of a version: 17 of `17`, 8 of `1.8`.
    public static int feature(String version) {
        String[] parts = version.split("\\.", -1);
        try {
            int first = Integer.parseInt(parts[0]);
            return first == 1 && parts.length > 1 ? Integer.parseInt(parts[1]) : first;
        } catch (NumberFormatException unknown) {
            return NEEDED; // nobody knows; a class that can't be loaded will tell
        }
    }

    /// Cluster managers that end what takes more than it was lent count memory outside the heap as overhead.
    ///
    /// @throws IllegalStateException if executors lack it
    public static void checkMemory(SparkConf conf, String master, long taskMemory) {
        if (!master.startsWith("yarn") && !master.startsWith("k8s")) {
            return;
        }
        long heap = JavaUtils.byteStringAsMb(conf.get("spark.executor.memory", "1g")) << 20;
        double factor = conf.getDouble("spark.executor.memoryOverheadFactor", 0.1);
        long lent = conf.contains("spark.executor.memoryOverhead")
                ? JavaUtils.byteStringAsMb(conf.get("spark.executor.memoryOverhead")) << 20
                : Math.max((long) (heap * factor), LEAST_OVERHEAD);
        int tasks =
                Math.max(1, conf.getInt("spark.executor.cores", 1) / Math.max(1, conf.getInt("spark.task.cpus", 1)));
        long needed = LEAST_OVERHEAD / 2 + tasks * taskMemory; // half of what Spark reckons for the virtual machine
        if (lent < needed) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "executors have %,d MiB outside the heap (spark.executor.memoryOverhead), but %,d tasks at once need"
                            + " about %,d MiB, or the cluster manager ends them: set spark.executor.memoryOverhead=%dm",
                    lent >> 20,
                    tasks,
                    needed >> 20,
                    needed >> 20));
        }
    }
}
