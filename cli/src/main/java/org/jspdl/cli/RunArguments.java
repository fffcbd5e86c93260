package org.jspdl.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.run.RunSettings;
import org.jspdl.media.image.Layout;
import org.jspdl.memory.ElementType;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;

/// Reads the options of `jspdl run`.
///
/// @param line what was given
record RunArguments(CommandLine line) {
    private static final int MOST_PIXELS = 16_384;
    private static final int MOST_BATCH = 65_536;
    private static final long PROBATION = 100;

    RunSettings settings() throws UsageException {
        int size = line.integer("--size", 224, 1, MOST_PIXELS);
        int resize = line.integer("--resize", Math.max(1, Math.round(size * 8f / 7f)), 1, MOST_PIXELS);
        int worldSize = line.integer("--world-size", 1, 1, 1_000_000);
        int rank = line.integer("--rank", 0, 0, Integer.MAX_VALUE);
        if (rank >= worldSize) {
            throw new UsageException("--rank must be below --world-size (" + worldSize + ") but was " + rank);
        }
        return new RunSettings(
                new RunSettings.Picture(size, resize, line.choice("--layout", Layout.NHWC, Layout.class), elements()),
                line.integer("--batch", 64, 1, MOST_BATCH),
                line.number("--epochs", 1, 1, Long.MAX_VALUE),
                line.has("--shuffle"),
                line.number("--seed", 0, Long.MIN_VALUE, Long.MAX_VALUE),
                new RunSettings.Shard(rank, worldSize),
                line.integer("--concurrency", Runtime.getRuntime().availableProcessors(), 1, 1024),
                line.choice("--order", Order.INPUT, Order.class),
                failures());
    }

    private ElementType elements() throws UsageException {
        return switch (line.choice("--dtype", Dtype.UINT8, Dtype.class)) {
            case UINT8 -> ElementType.UINT8;
            case FLOAT32 -> ElementType.FLOAT32;
        };
    }

    private enum Dtype {
        UINT8,
        FLOAT32
    }

    private FailurePolicy failures() throws UsageException {
        String given = line.text("--max-failures").orElse("0");
        boolean percent = given.endsWith("%");
        try {
            if (percent) {
                double rate = Double.parseDouble(given.substring(0, given.length() - 1)) / 100;
                if (rate > 0 && rate <= 1) {
                    return FailurePolicy.skipRate(rate, PROBATION);
                }
            } else {
                long count = Long.parseLong(given);
                if (count >= 0) {
                    return count == 0 ? FailurePolicy.failFast() : FailurePolicy.skip(count);
                }
            }
        } catch (NumberFormatException notANumber) {
            // reported below, as for a number out of range
        }
        throw new UsageException(
                "--max-failures must be a number of files, or a percentage above 0% and at most 100%, but was '" + given
                        + "'");
    }

    Path path(String given) throws UsageException {
        try {
            return Path.of(given);
        } catch (InvalidPathException invalid) {
            throw new UsageException("'" + given + "' is not a path: " + invalid.getReason());
        }
    }
}
