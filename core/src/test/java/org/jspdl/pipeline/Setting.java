package org.jspdl.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/// One cell of the matrix that behaviour is tested over: where a stage runs, its order, its concurrency and its buffer.
///
/// @param placement `io`, `cpu`, `dedicated` or `on`
public record Setting(String placement, Order order, int concurrency, int buffer) {
    /// A new platform thread for each activation: nothing to close, and as many at once as a stage asks for.
    static final Executor THREAD_PER_TASK =
            task -> Thread.ofPlatform().daemon().name("test-executor").start(task);

    /// Every cell.
    static Stream<Setting> all() {
        List<Setting> settings = new ArrayList<>();
        for (String placement : List.of("io", "cpu", "dedicated", "on")) {
            for (Order order : Order.values()) {
                for (int concurrency : placement.equals("dedicated") ? new int[] {1} : new int[] {1, 2, 8}) {
                    for (int buffer : new int[] {1, 4}) {
                        settings.add(new Setting(placement, order, concurrency, buffer));
                    }
                }
            }
        }
        return settings.stream();
    }

    /// The cells that keep the input's order.
    static Stream<Setting> ordered() {
        return all().filter(setting -> setting.order == Order.INPUT);
    }

    /// The cells in completion order.
    static Stream<Setting> unordered() {
        return all().filter(setting -> setting.order == Order.COMPLETION);
    }

    /// One cell for each placement and order, at concurrency 2 where that is possible.
    static Stream<Setting> few() {
        return all().filter(setting ->
                setting.buffer == 4 && setting.concurrency == (setting.placement.equals("dedicated") ? 1 : 2));
    }

    /// The cells with several functions at once.
    static Stream<Setting> concurrent() {
        return all().filter(setting -> setting.concurrency > 1);
    }

    /// Options of a stage in this cell.
    StageOptions options() {
        StageOptions options = switch (placement) {
            case "io" -> StageOptions.io(concurrency);
            case "cpu" -> StageOptions.cpu(concurrency);
            case "dedicated" -> StageOptions.dedicated();
            case "on" -> StageOptions.on(THREAD_PER_TASK, concurrency);
            default -> throw new IllegalStateException("no placement " + placement);
        };
        options = options.buffer(buffer);
        return order == Order.INPUT ? options.inputOrder() : options;
    }

    /// Options of a run whose functions may all wait at once without using up the compute threads.
    static RunOptions roomy() {
        return RunOptions.defaults().computeThreads(8);
    }

    @Override
    public String toString() {
        return placement + "(" + concurrency + ") " + order + " buffer " + buffer;
    }
}
