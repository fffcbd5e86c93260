package org.jspdl.observe.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspdl.observe.diagnosis.Diagnosis;
import org.jspdl.observe.diagnosis.Evidence;
import org.jspdl.observe.diagnosis.Finding;
import org.jspdl.observe.virtual.Tandem;
import org.jspdl.observe.virtual.VirtualProcess;
import org.jspdl.stats.PipelineStats;

/// A pipeline in virtual time of another kind than [FaultCase] makes, with a fault of another kind: three to nine
/// stages with up to 48 workers, calls that differ in other ways, larger batches, and an uneven consumer. Immutable.
///
/// All stages but the faulty one have at least twice the speed that it leaves. A case whose remedy gives less than
/// [#WORTH] is drawn again: nothing is wrong with it.
///
/// @param parts      the stages behind the source
/// @param faulty     which of them is at fault
/// @param batch      how many items make a batch
/// @param batchAfter behind which stage; before all of them if negative
/// @param item       what the fault leaves for each item, in milliseconds
/// @param strength   how bad it is, from 0 to 1
record OtherCase(
        OtherFault fault,
        long seed,
        List<Part> parts,
        int faulty,
        int batch,
        int batchAfter,
        double item,
        double strength) {
    /// The least that a remedy gives.
    static final double WORTH = 1.2;
    private static final int ITEMS = 4_000;
    private static final int PAGE = 100;
    private static final int LARGE = 64;

    /// How the times of calls differ.
    enum Shape {
        EVEN {
            @Override
            double draw(SplittableRandom random) {
                return 0.9 + 0.2 * random.nextDouble();
            }
        },
        WAVERING {
            @Override
            double draw(SplittableRandom random) {
                return 0.5 + random.nextDouble();
            }
        },
        LATENCY {
            @Override
            double draw(SplittableRandom random) {
                return 0.6 - 0.4 * Math.log(1 - random.nextDouble());
            }
        },
        EXPONENTIAL {
            @Override
            double draw(SplittableRandom random) {
                return -Math.log(1 - random.nextDouble());
            }
        },
        HANGS {
            @Override
            double draw(SplittableRandom random) {
                return random.nextInt(40) == 0 ? 30 : 0.3;
            }
        };

        /// A time around 1.
        abstract double draw(SplittableRandom random);
    }

    /// @param millis mean time of a call for one item
    record Part(String name, boolean computes, int workers, int buffer, double millis, Shape shape) {
        Part faster() {
            return new Part(name, computes, workers, buffer, millis / 2, shape);
        }

        Part roomier() {
            return new Part(name, computes, workers, buffer + LARGE, millis, shape);
        }

        Part withoutHangs() {
            return new Part(name, computes, workers, buffer, 0.3 * millis, Shape.EVEN);
        }
    }

    /// The case of this number: faults take turns.
    static OtherCase of(long number, long seed) {
        OtherFault fault = OtherFault.values()[(int) Math.floorMod(number, (long) OtherFault.values().length)];
        SplittableRandom random = new SplittableRandom(seed + 0x9E3779B97F4A7C15L * (number + 1));
        for (int tries = 0; tries < 200; tries++) {
            OtherCase drawn = draw(fault, random);
            if (drawn.run(true).rate() >= WORTH * drawn.run(false).rate()) {
                return drawn;
            }
        }
        throw new IllegalStateException("no case of " + fault + " has a remedy");
    }

    private static OtherCase draw(OtherFault fault, SplittableRandom random) {
        int count = 3 + random.nextInt(7);
        int faulty = random.nextInt(count);
        int batch = 1 << random.nextInt(5);
        int batchAfter = random.nextInt(count);
        double item = 1 + 9 * random.nextDouble();
        if (fault == OtherFault.BEHIND_BATCHES) {
            batch = 8 << random.nextInt(3);
            batchAfter = faulty - 1;
        }
        if (fault == OtherFault.EVEN_STAGES) {
            batch = 1;
            count = 3 + random.nextInt(3);
            faulty = 0;
        }
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(fault == OtherFault.EVEN_STAGES ? even(i, item, random) : other(i, item, random));
        }
        OtherCase drawn =
                new OtherCase(fault, random.nextLong(), parts, faulty, batch, batchAfter, item, random.nextDouble());
        if (fault.hasStage() || fault == OtherFault.STOLEN_PROCESSORS) {
            parts.set(faulty, drawn.atFault(random));
        }
        return drawn;
    }

    /// A stage with twice to ten times the speed that is needed.
    private static Part other(int number, double item, SplittableRandom random) {
        boolean computes = random.nextInt(3) == 0;
        int workers = computes ? 1 : 1 + random.nextInt(12);
        double share = computes ? 0.02 + 0.06 * random.nextDouble() : 0.1 + 0.4 * random.nextDouble();
        Shape shape = computes ? Shape.EVEN : random.nextBoolean() ? Shape.WAVERING : Shape.LATENCY;
        return new Part("step" + number, computes, workers, 1 + random.nextInt(8), item * workers * share, shape);
    }

    private static Part even(int number, double item, SplittableRandom random) {
        return new Part("step" + number, false, 1, 1, item, random.nextBoolean() ? Shape.EXPONENTIAL : Shape.LATENCY);
    }

    private Part atFault(SplittableRandom random) {
        String name = parts.get(faulty).name();
        int buffer = 1 + random.nextInt(8);
        Shape waits = List.of(Shape.EVEN, Shape.WAVERING, Shape.LATENCY).get(random.nextInt(3));
        return switch (fault) {
            case CROWD, FAR_STORE -> {
                int workers = 6 + random.nextInt(43);
                yield new Part(name, false, workers, buffer, item * workers, waits);
            }
            case SHARED_FOLDER -> {
                int workers = 1 + random.nextInt(8);
                yield new Part(name, false, workers, buffer, item * workers, waits);
            }
            case RARE_HANGS -> {
                int workers = 1 + random.nextInt(3);
                yield new Part(name, false, workers, buffer, item * workers, Shape.HANGS);
            }
            case SATURATED, STOLEN_PROCESSORS -> new Part(name, true, 2, buffer, 2 * item, Shape.WAVERING);
            default -> new Part(name, random.nextBoolean(), 1, buffer, item, waits);
        };
    }

    /// What is said of the case.
    Finding first() {
        PipelineStats stats = run(false);
        return Diagnosis.of(process(stats).around(stats, work())).first();
    }

    /// Whether that is right.
    boolean isRight(Finding said) {
        boolean placed =
                !fault.hasStage() || said.stage().equals(parts.get(faulty).name());
        return said.limit() == fault.limit() && placed;
    }

    private PipelineStats run(boolean remedied) {
        double source = fault == OtherFault.PAGED_SOURCE ? item * PAGE : 0;
        Tandem chain = Tandem.from(number -> number % PAGE != 0 ? 0 : remedied ? source / 2 : source);
        int together = 1;
        if (batchAfter < 0) {
            chain.batch(batch);
            together = batch;
        }
        for (int i = 0; i < parts.size(); i++) {
            Part part = remedied ? remedied(i) : parts.get(i);
            int items = together;
            long own = seed * 31 + i;
            double slowdown = slowdown(part, remedied);
            chain.pipe(part.name(), part.computes(), part.workers(), part.buffer(), call -> {
                SplittableRandom random = new SplittableRandom(own * 1_000_003 + call);
                // a call hangs as a whole, however many items it is for
                int draws = part.shape() == Shape.HANGS ? 1 : items;
                double factor = 0;
                for (int draw = 0; draw < draws; draw++) {
                    factor += items * part.shape().draw(random) / draws;
                }
                return part.millis() * factor * slowdown;
            });
            if (i == batchAfter) {
                chain.batch(batch);
                together = batch;
            }
        }
        if (fault == OtherFault.TIGHT_BUDGET && !remedied) {
            chain.inFlight(batch + (int) (batch * strength));
        }
        double step = fault == OtherFault.UNEVEN_TRAINER ? batch * item * (remedied ? 0.5 : 1) : 0.05;
        // Every twentieth step is an evaluation, which takes as long as eleven.
        return chain.consume(
                Math.max(60, ITEMS / batch),
                number -> fault != OtherFault.UNEVEN_TRAINER ? step : number % 20 == 7 ? 7 * step : 0.7 * step);
    }

    private Part remedied(int number) {
        Part part = parts.get(number);
        return switch (fault) {
            case EVEN_STAGES -> part.roomier();
            case RARE_HANGS -> number == faulty ? part.withoutHangs() : part;
            default -> number == faulty && fault.hasStage() ? part.faster() : part;
        };
    }

    /// The part of the time that pauses take.
    private double paused() {
        return 0.2 + 0.4 * strength;
    }

    /// What the host leaves of the processors.
    private double left() {
        return 0.25 + 0.35 * strength;
    }

    private double slowdown(Part part, boolean remedied) {
        if (remedied) {
            return 1;
        }
        return switch (fault) {
            case MANY_PAUSES -> 1 / (1 - paused());
            case STOLEN_PROCESSORS -> part.computes() ? 1 / left() : 1;
            default -> 1;
        };
    }

    private VirtualProcess process(PipelineStats stats) {
        double busy = stats.stages().stream()
                .filter(stage -> stage.placement().equals("cpu"))
                .mapToDouble(stage -> stage.busy().toNanos())
                .sum();
        double computing = Math.max(0.01, busy / stats.elapsed().toNanos());
        return switch (fault) {
            case MANY_PAUSES -> new VirtualProcess(computing, 0, 0, 0, paused());
            case STOLEN_PROCESSORS -> {
                double used = computing * left();
                double stolen = Math.max(0, computing - used);
                // what the host takes, the threads lose by the way the process counts it
                yield new VirtualProcess(used, stolen, stolen, 0, 0);
            }
            default -> VirtualProcess.using(computing);
        };
    }

    private Map<String, Evidence.Work> work() {
        Map<String, Evidence.Work> work = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            double waits = 0.6 + 0.38 * strength;
            boolean here = i == faulty;
            if (here && fault == OtherFault.SHARED_FOLDER) {
                work.put(part.name(), new Evidence.Work(1 - waits, waits, 0, ""));
            } else if (here && fault == OtherFault.FAR_STORE) {
                work.put(part.name(), new Evidence.Work(1 - waits, 0, waits, ""));
            } else {
                double processor = !part.computes() ? 0.02 : fault == OtherFault.STOLEN_PROCESSORS ? left() : 1;
                work.put(part.name(), new Evidence.Work(processor, 0, 0, ""));
            }
        }
        return work;
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder(String.format(Locale.ROOT, "%s (%.2f) of %.1f ms an item:", fault, strength, item));
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            text.append(String.format(
                    Locale.ROOT,
                    " %s%s%s x %d, buffer %d, %.1f ms %s;",
                    i == faulty && fault.hasStage() ? "*" : "",
                    part.name(),
                    part.computes() ? " cpu" : "",
                    part.workers(),
                    part.buffer(),
                    part.millis(),
                    part.shape()));
        }
        return text + " batches of " + batch + " behind " + batchAfter;
    }
}
