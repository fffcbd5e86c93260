package org.jspdl.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.SparkSession;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.plan.PackedRange;
import org.jspdl.data.shards.pack.PackException;
import org.jspdl.data.snapshot.DatasetVersions;
import org.jspdl.data.snapshot.FileVersions;
import org.jspdl.data.storage.Location;
import org.jspdl.plan.Operations;
import org.jspdl.plan.PlanContext;
import org.jspdl.spark.internal.ClusterCheck;
import org.jspdl.spark.internal.PlanTarget;
import org.jspdl.spark.internal.WriteOptions;

/// A plan over a cluster: what its steps make of a dataset, as shards, by Apache Spark. The result is that of `jspdl
/// pack plan.yaml` on one machine, byte by byte: the same plan, seed and dataset make the same shards on any number of
/// executors, whichever of them fail.
///
/// ```java
/// PlanJob job = PlanJob.of("plan.yaml", text).samplesPerShard(10_000);
/// PackedPlan.Result result = job.run(spark, Path.of("/shared/small"));
/// ```
///
/// Only the plan's text travels: each task compiles it, and stops if it finds another dataset or other decoders than
/// the driver. Each shard is of a fixed range of places, chosen before. The folder appears complete or not at all, also
/// when tasks are tried again or run twice, or executors are killed; it and the dataset must be where the driver and
/// all executors reach them by the same path. Immutable.
public final class PlanJob implements Serializable {
    private static final long serialVersionUID = 1;
    /// Tasks for each processor of the cluster: each compiles the plan once, and is what is lost when it fails.
    private static final int TASKS_PER_CORE = 4;

    private final String name;
    private final String text;
    private final String folder;
    private final long samplesPerShard;
    private final String shards;
    private final boolean overwrites;
    private final long taskMemory;

    private PlanJob(
            String name,
            String text,
            String folder,
            long samplesPerShard,
            String shards,
            boolean overwrites,
            long taskMemory) {
        this.name = name;
        this.text = text;
        this.folder = folder;
        this.samplesPerShard = samplesPerShard;
        this.shards = shards;
        this.overwrites = overwrites;
        this.taskMemory = taskMemory;
    }

    /// A job that packs 10,000 places into each tar file. Relative paths of the plan begin at the driver's folder.
    ///
    /// @param name what messages call the plan; one that ends in `.json` says that the text is JSON
    /// @param text of the plan
    public static PlanJob of(String name, String text) {
        return new PlanJob(
                name,
                text,
                Path.of("").toAbsolutePath().toString(),
                10_000,
                WriteOptions.TAR,
                false,
                ClusterCheck.TASK_MEMORY);
    }

    /// This with relative paths of the plan that begin at `where`, on every executor.
    public PlanJob in(Path where) {
        return new PlanJob(
                name, text, where.toAbsolutePath().toString(), samplesPerShard, shards, overwrites, taskMemory);
    }

    /// This with shards of so many places of the dataset.
    public PlanJob samplesPerShard(long places) {
        if (places < 1) {
            throw new IllegalArgumentException("samplesPerShard must be at least 1 but was " + places);
        }
        return new PlanJob(name, text, folder, places, shards, overwrites, taskMemory);
    }

    /// This with shards of another format: `webdataset`, `parquet` or `mds`.
    public PlanJob shards(String format) {
        return new PlanJob(name, text, folder, samplesPerShard, format, overwrites, taskMemory);
    }

    /// This, replacing what is in the folder when the new shards are complete.
    public PlanJob overwrite() {
        return new PlanJob(name, text, folder, samplesPerShard, shards, true, taskMemory);
    }

    /// This with another need of memory outside the heap for each task, which `memoryOverhead` is checked against:
    /// 64 MiB unless said otherwise. 32 samples are decoded at a time, so large pictures or videos need more.
    public PlanJob taskMemory(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("taskMemory must not be negative but was " + bytes);
        }
        return new PlanJob(name, text, folder, samplesPerShard, shards, overwrites, bytes);
    }

    /// Runs the job, and waits for it.
    ///
    /// @param to a folder that the driver and all executors share
    /// @throws PackException if more samples failed than the plan allows, or something is in the folder
    /// @throws IOException if the job failed; nothing is left
    /// @throws IllegalStateException if the cluster can't run it: the message says what to change
    /// @throws org.jspdl.plan.PlanException if the plan is wrong
    public PackedPlan.Result run(SparkSession spark, Path to) throws IOException {
        return run(spark, Location.of(to));
    }

    /// As [#run(SparkSession, Path)], to a folder or to an object store such as `s3://bucket/train`, whose storage
    /// all executors have: tasks write their shards to a temporary folder of their executor, and send them.
    ///
    /// @throws PackException also if an object store has something there: nothing is overwritten in one
    public PackedPlan.Result run(SparkSession spark, Location to) throws IOException {
        PlanTarget target = new PlanTarget(
                WriteOptions.to(to, shards, overwrites),
                samplesPerShard,
                UUID.randomUUID().toString());
        ClusterCheck.check(spark, taskMemory);
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        try (PackedPlan plan = open(DatasetVersions.toBeTold())) {
            target.begin();
            try {
                return target.commit(context, plan, write(context, plan, target));
            } finally {
                target.end();
            }
        }
    }

    private PackedPlan open(DatasetVersions versions) {
        return PackedPlan.open(name, text, Operations.installed(), PlanContext.in(Path.of(folder)), versions);
    }

    private List<PackedRange> write(JavaSparkContext context, PackedPlan plan, PlanTarget target) throws IOException {
        int ranges = plan.ranges(samplesPerShard);
        int tasks = (int) Math.min(ranges, (long) TASKS_PER_CORE * context.defaultParallelism());
        List<Integer> numbers =
                java.util.stream.IntStream.range(0, ranges).boxed().toList();
        try {
            return context.parallelize(numbers, Math.max(1, tasks))
                    .mapPartitions(new Task(this, target, plan.snapshot(), plan.versions()))
                    .collect();
        } catch (RuntimeException failed) {
            throw failure(failed);
        } catch (Exception failed) {
            if (failed instanceof SparkException) { // which Scala does not declare
                throw failure(failed);
            }
            throw new IOException("the job failed: " + failed, failed);
        }
    }

    private IOException failure(Exception failed) {
        String told = String.valueOf(failed.getMessage());
        if (told.contains("UnsupportedClassVersionError")) {
            throw new IllegalStateException(ClusterCheck.OLD_JAVA, failed);
        }
        // Spark tells the failure of a task as the text of its stack trace.
        int at = told.indexOf(PackException.class.getName() + ": ");
        String reason = at < 0
                ? told
                : told.substring(at + PackException.class.getName().length() + 2);
        int end = reason.indexOf("\n\tat ");
        String shown = end < 0 ? reason : reason.substring(0, end);
        return new IOException("the job of " + name + " failed, and nothing was written: " + shown, failed);
    }

    /// Some ranges, on an executor.
    ///
    /// @param snapshot of the dataset, as the driver sees it
    /// @param versions of its files
    private record Task(PlanJob job, PlanTarget target, String snapshot, List<FileVersions> versions)
            implements FlatMapFunction<Iterator<Integer>, PackedRange> {
        @Override
        public Iterator<PackedRange> call(Iterator<Integer> ranges) throws IOException {
            List<PackedRange> written = new ArrayList<>();
            try (PackedPlan plan = job.open(DatasetVersions.expecting(versions))) {
                if (!plan.snapshot().equals(snapshot)) {
                    throw new PackException("an executor finds another dataset or decoder than the driver: "
                            + plan.snapshot() + ", not " + snapshot + ". The dataset must be the same everywhere, and"
                            + " stay as it is while the job runs");
                }
                long attempt = TaskContext.get().taskAttemptId();
                while (ranges.hasNext()) {
                    written.add(target.write(plan, ranges.next(), attempt));
                    TaskContext.get().killTaskIfInterrupted();
                }
            }
            return written.iterator();
        }
    }
}
