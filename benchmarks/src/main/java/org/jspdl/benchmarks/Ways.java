package org.jspdl.benchmarks;

import static java.util.stream.Gatherers.mapConcurrent;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.StageOptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/// The ways of passing items through three steps, `concurrency` of them at once in each step. All return the same sum.
enum Ways {
    /// No threads: what the steps themselves cost.
    LOOP {
        @Override
        long sum(List<Long> items, Work work, int concurrency) {
            long sum = 0;
            for (Long item : items) {
                sum += work.step(work.step(work.step(item)));
            }
            return sum;
        }
    },
    /// Stages on the shared compute threads.
    JSPDL_CPU {
        @Override
        long sum(List<Long> items, Work work, int concurrency) {
            return throughStages(items, work, cpu(concurrency).buffer(BUFFER));
        }
    },
    /// The same, each stage keeping its input's order.
    JSPDL_CPU_ORDERED {
        @Override
        long sum(List<Long> items, Work work, int concurrency) {
            return throughStages(items, work, cpu(concurrency).buffer(BUFFER).inputOrder());
        }
    },
    /// Stages on virtual threads.
    JSPDL_IO {
        @Override
        long sum(List<Long> items, Work work, int concurrency) {
            return throughStages(items, work, io(concurrency).buffer(BUFFER));
        }
    },
    /// Threads of an executor around an `ArrayBlockingQueue`, as one writes it by hand.
    QUEUES {
        @Override
        long sum(List<Long> items, Work work, int concurrency) throws InterruptedException {
            return new QueueChain(work, concurrency, BUFFER).sum(items);
        }
    },
    /// A parallel stream on a pool of its own: no handover, each item stays on its thread.
    PARALLEL_STREAM {
        @Override
        long sum(List<Long> items, Work work, int concurrency) {
            try (ForkJoinPool pool = new ForkJoinPool(concurrency)) {
                return pool.submit(() -> items.parallelStream()
                                .map(work::step)
                                .map(work::step)
                                .map(work::step)
                                .mapToLong(Long::longValue)
                                .sum())
                        .join();
            }
        }
    },
    /// Reactor: `flatMap` onto one thread for each processor in each step, with the same concurrency and prefetch.
    REACTOR {
        @Override
        long sum(List<Long> items, Work work, int concurrency) {
            Scheduler threads =
                    Schedulers.newParallel("reactor", Runtime.getRuntime().availableProcessors(), true);
            try {
                Flux<Long> flux = Flux.fromIterable(items);
                for (int step = 0; step < Work.STEPS; step++) {
                    flux = flux.flatMap(
                            item -> Mono.fromCallable(() -> work.step(item)).subscribeOn(threads), concurrency, BUFFER);
                }
                return flux.reduce(0L, Long::sum).blockOptional().orElseThrow();
            } finally {
                threads.dispose();
            }
        }
    },
    /// `Gatherers.mapConcurrent`: a virtual thread for each item and step.
    MAP_CONCURRENT {
        @Override
        long sum(List<Long> items, Work work, int concurrency) {
            return items.stream()
                    .gather(mapConcurrent(concurrency, work::step))
                    .gather(mapConcurrent(concurrency, work::step))
                    .gather(mapConcurrent(concurrency, work::step))
                    .mapToLong(Long::longValue)
                    .sum();
        }
    };

    /// Items that wait between two steps, in the ways that have a queue there.
    static final int BUFFER = 16;

    abstract long sum(List<Long> items, Work work, int concurrency) throws InterruptedException;

    private static long throughStages(List<Long> items, Work work, StageOptions options) {
        Pipeline<Long> pipeline = Pipeline.from(items)
                .pipe("first", work::step, options)
                .pipe("second", work::step, options)
                .pipe("third", work::step, options)
                .prefetch(BUFFER);
        long sum = 0;
        try (Run<Long> run = pipeline.start()) {
            for (Long item : run) {
                sum += item;
            }
        }
        return sum;
    }
}
