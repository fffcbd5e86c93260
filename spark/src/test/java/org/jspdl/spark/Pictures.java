package org.jspdl.spark;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.media.image.ChromaSampling;
import org.jspdl.media.image.ImageEncoder;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.Operations;
import org.jspdl.plan.PlanContext;
import org.jspdl.spark.internal.WriteOptions;

/// Pictures of two classes, a plan over them, and what one machine packs.
final class Pictures {
    /// Filters, augments by chance, and encodes.
    static final String PLAN = """
            source: {files: {path: photos, shuffle: true, seed: 5}}
            steps:
              - {where: {field: index, min: 3}}
              - {load-image: {size: 24, crop: random-resized-crop, flip: 0.5, dtype: uint8}, cpu: 2}
              - encode-image: {}
            failure: {max-failures: 2}
            seed: 8
            """;

    private Pictures() {}

    static void paint(Path folder, int count) throws IOException {
        try (BufferPool pool = BufferPool.unbounded("pictures")) {
            for (int i = 0; i < count; i++) {
                Path file = folder.resolve("photos/c%d/%04d.jpg".formatted(i % 2, i));
                Files.createDirectories(file.getParent());
                Files.write(file, picture(i, pool));
            }
        }
    }

    private static byte[] picture(int number, BufferPool pool) {
        int side = 30 + number % 40;
        try (Tensor pixels = Tensor.allocate(ElementType.UINT8, Shape.of(side, side, 3), pool)) {
            for (long at = 0; at < pixels.segment().byteSize(); at++) {
                pixels.segment().set(ValueLayout.JAVA_BYTE, at, (byte) (at * number / 7));
            }
            try (Lease jpeg = ImageEncoder.jpeg(90, ChromaSampling.HALF_BOTH).encode(pixels, pool)) {
                return jpeg.segment().toArray(ValueLayout.JAVA_BYTE);
            }
        }
    }

    /// What one machine makes of the plan in `folder`, in `to`.
    static PackedPlan.Result packed(Path folder, String text, Path to, int samples) throws Exception {
        return packed(folder, text, to, samples, WriteOptions.TAR);
    }

    static PackedPlan.Result packed(Path folder, String text, Path to, int samples, String format) throws Exception {
        PackSettings settings = new WriteOptions(to.toString(), format, "set", false).settings(to);
        try (PackedPlan plan = PackedPlan.open("plan.yaml", text, Operations.installed(), PlanContext.in(folder))) {
            return plan.pack(settings.limits(samples, settings.bytes()), false, _ -> {});
        }
    }

    /// The files of a folder, by their names behind the prefix, but for what says when something failed.
    static Map<String, String> contents(Path of, String prefix) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(of)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.startsWith(prefix) && !name.endsWith(".shards.json")) {
                    contents.put(name.substring(prefix.length()), hash(Files.readAllBytes(file)));
                }
            }
        }
        return contents;
    }

    static String hash(byte[] content) {
        try {
            return java.util.HexFormat.of()
                    .formatHex(
                            java.security.MessageDigest.getInstance("SHA-256").digest(content));
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
