package org.jspdl.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/// Short ways to run a pipeline to its end.
final class Runs {
    private Runs() {}

    /// What one run delivers in its first epoch.
    static <T> List<T> deliveries(Pipeline<T> pipeline) {
        return deliveries(pipeline, RunOptions.defaults());
    }

    /// What one run delivers in its first epoch.
    static <T> List<T> deliveries(Pipeline<T> pipeline, RunOptions options) {
        try (Run<T> run = pipeline.start(options)) {
            return take(run, Integer.MAX_VALUE);
        }
    }

    /// What a run delivers in each of its epochs.
    static <T> List<List<T>> epochs(Pipeline<T> pipeline, RunOptions options) {
        List<List<T>> epochs = new ArrayList<>();
        try (Run<T> run = pipeline.start(options)) {
            do {
                epochs.add(take(run, Integer.MAX_VALUE));
            } while (run.nextEpoch());
        }
        return epochs;
    }

    /// The next `count` items of a run, or fewer at the end of its epoch.
    static <T> List<T> take(Run<T> run, int count) {
        List<T> items = new ArrayList<>();
        var iterator = run.iterator();
        while (items.size() < count && iterator.hasNext()) {
            items.add(iterator.next());
        }
        return items;
    }

    /// Lets other threads overtake the calling one, without a clock. Whether they do may not matter to a test's
    /// result.
    @SuppressWarnings("ThreadPriorityCheck")
    static void dawdle(int times) {
        for (int i = 0; i < times; i++) {
            Thread.yield();
        }
    }

    /// The numbers from `from` to before `to`.
    static List<Long> numbers(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }
}
