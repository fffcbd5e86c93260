package org.jspdl.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.input.InputException;
import org.jspdl.memory.PoolExhaustedException;
import org.jspdl.pipeline.PipelineException;
import org.jspecify.annotations.Nullable;

/// Says why a run failed, in the words of somebody who gave a folder of images.
final class RunFailures {
    /// Where a failure is that of one file; others, such as a missing shard, leave nothing to go on with.
    private static final Set<String> SKIPPABLE = Set.of("read", "decode");

    private static final double GIB = 1 << 30;
    private static final Pattern UNALLOCATED = Pattern.compile("Unable to allocate (\\d{1,18}) bytes");

    private RunFailures() {}

    static String explain(PipelineException failure) {
        Throwable cause = failure.getCause();
        String message = String.valueOf(failure.getMessage());
        String reason = cause == null ? null : cause.getMessage();
        if (cause instanceof OutOfMemoryError) {
            return withoutMemory(String.valueOf(reason));
        }
        if (cause instanceof PoolExhaustedException) {
            return "no memory for a batch of this size; lower --batch-size or --size, or take --dtype uint8";
        }
        return reason == null || failure.kind() == PipelineException.Kind.TOO_MANY_FAILURES
                ? message
                : SKIPPABLE.contains(failure.stage()) && isOfOneFile(cause)
                        ? reason + " (--max-failures N skips up to N such files)"
                        : reason;
    }

    /// What the virtual machine says when it cannot have memory, with what takes less of it.
    private static String withoutMemory(String reason) {
        Matcher outside = UNALLOCATED.matcher(reason);
        return outside.matches()
                ? "no memory for a batch: the system gave no "
                        + String.format(Locale.ROOT, "%,.1f GiB", Long.parseLong(outside.group(1)) / GIB)
                        + "; lower --batch-size or --size, or take --dtype uint8"
                : "the heap is full (" + reason + "); give it more by JSPDL_OPTS=-Xmx1g, or lower --workers";
    }

    /// A missing library or a mistake in the program would fail the next file too.
    private static boolean isOfOneFile(@Nullable Throwable cause) {
        return cause instanceof InputException || cause instanceof IOException || cause instanceof UncheckedIOException;
    }

    /// Without advice about options, for a plan, which has its own rules.
    static String reason(PipelineException failure) {
        String message = String.valueOf(failure.getMessage());
        Throwable cause = failure.getCause();
        String reason = cause == null ? null : cause.getMessage();
        return reason == null || message.contains(reason) ? message : message + ": " + reason;
    }
}
