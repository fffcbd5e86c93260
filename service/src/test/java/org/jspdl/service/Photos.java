package org.jspdl.service;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;

/// A folder of photographs, plans over it, and what runs of these deliver.
record Photos(Path folder) {
    static final int IMAGES = 60;

    /// Makes the photographs in `folder`, of which two are damaged.
    static Photos in(Path folder) throws Exception {
        new SampleSet(IMAGES, SampleSet.STANDARD.seed()).write(folder, 2, _ -> {});
        List<Path> files;
        try (var walk = Files.walk(folder)) {
            files = walk.filter(file -> file.toString().endsWith(".jpg"))
                    .sorted()
                    .toList();
        }
        Files.write(files.get(7), new byte[] {1, 2, 3});
        byte[] whole = Files.readAllBytes(files.get(31));
        Files.write(files.get(31), java.util.Arrays.copyOf(whole, whole.length / 3));
        return new Photos(folder);
    }

    /// Adds a photograph under another name.
    void add(String name) throws Exception {
        try (var walk = Files.walk(folder)) {
            Path any = walk.filter(file -> file.toString().endsWith(".jpg"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
            Files.copy(any, any.resolveSibling(name), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /// A plan of random crops and shuffled epochs.
    String plan(List<String> workers) {
        return plan(workers, 64, "float32, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225]");
    }

    String plan(List<String> workers, int size, String type) {
        return """
                name: photos
                source:
                  images: {path: "%s", shuffle: true, seed: 5%s}
                steps:
                  - allocate-batch: {batch-size: 8, size: %d, crop: random-resized-crop, flip: 0.5, color-jitter: 0.3, dtype: %s}
                  - read-image: {}
                  - decode-image: {}
                    cpu: 2
                    order: input
                    failure: {max-failures: 100}
                  - batch: 8
                  - stack-images: {}
                seed: 9
                epochs: 2
                """.formatted(
                        folder, workers.isEmpty() ? "" : ", service: [" + String.join(", ", workers) + "]", size, type);
    }

    /// What a run delivers: a line for each batch, with its checksum, and what was skipped.
    static List<String> load(String plan) {
        return load(plan, PlanContext.in(Path.of("")), () -> {});
    }

    static List<String> load(String plan, PlanContext context, Runnable afterEachBatch) {
        List<String> seen = new ArrayList<>();
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        try (CompiledPlan compiled =
                        Plan.of("plan.yaml", plan).compile(Operations.installed(), context.quarantine(skipped::add));
                Run<?> run = compiled.start()) {
            do {
                for (Object item : run) {
                    try (ImageBatch batch = (ImageBatch) item) {
                        seen.add(line(run.epoch(), batch));
                    }
                    afterEachBatch.run();
                }
            } while (run.nextEpoch());
        }
        skipped.stream()
                .map(item -> item.stage() + " " + item.epoch() + " " + item.position() + " "
                        + item.cause().getMessage())
                .sorted()
                .forEach(seen::add);
        return seen;
    }

    static String line(long epoch, ImageBatch batch) {
        CRC32C sum = new CRC32C();
        sum.update(batch.images().segment().asByteBuffer());
        return epoch + " " + batch.images().shape() + " " + java.util.Arrays.toString(batch.labels()) + " "
                + java.util.Arrays.toString(batch.indices()) + " " + Long.toHexString(sum.getValue());
    }
}
