package org.jspdl.observe.faults;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspdl.observe.diagnosis.Diagnosis;
import org.jspdl.observe.diagnosis.Evidence;
import org.jspdl.observe.diagnosis.Remedy;
import org.jspdl.observe.virtual.Tandem;
import org.jspdl.observe.virtual.VirtualProcess;
import org.jspdl.stats.PipelineStats;

/// The pipeline of a case in virtual time, as it is or with its remedy: what [FaultyRun] is by the clock.
///
/// @param remedied whether its remedy has been applied
record VirtualFault(FaultCase fault, boolean remedied) {
    private static final int ITEMS = 3_000;
    /// The part of the time that collections stop the program.
    private static final double PAUSED = 0.35;
    /// Two threads that compute have this part of two processors beside the three of others.
    private static final double LEFT_BY_OTHERS = 0.4;
    private static final int ROOM = 32;

    /// What is known of the case.
    Evidence evidence() {
        return process().around(run(), work());
    }

    /// What is said of the case.
    Diagnosis diagnosis() {
        return Diagnosis.of(evidence());
    }

    /// Batches per second.
    double rate() {
        return run().rate();
    }

    /// Batches per second that the diagnosis expects of the case's remedy; 0 if no finding has it.
    double predicted() {
        return diagnosis().findings().stream()
                .flatMap(finding -> finding.remedies().stream())
                .filter(remedy -> remedy.kind() == fault.fault().remedy())
                .findFirst()
                .map(Remedy::rate)
                .orElse(0.0);
    }

    private boolean still(Fault what) {
        return fault.fault() == what && !remedied;
    }

    private PipelineStats run() {
        Tandem chain = Tandem.from(fault.fault() == Fault.SLOW_SOURCE ? halved(fault.strength()) / 1e3 : 0);
        int items = 1;
        for (int i = 1; i < fault.stages().size(); i++) {
            FaultCase.Setting setting = fault.stages().get(i);
            int number = i;
            int together = items;
            int more = remedied && i == fault.faulty() && fault.fault() == Fault.FEW_SLOTS ? 1 : 0;
            chain.pipe(
                    setting.name(),
                    setting.computes(),
                    setting.slots() + more,
                    setting.buffer() + (remedied && fault.fault() == Fault.TINY_QUEUES ? ROOM : 0),
                    call -> millis(number, call, together));
            if (i == fault.batchAfter()) {
                chain.batch(fault.batch());
                items = fault.batch();
            }
        }
        if (still(Fault.LITTLE_MEMORY)) {
            chain.inFlight(Math.max(2, fault.batch()));
        }
        double consumer =
                fault.fault() == Fault.SLOW_CONSUMER ? fault.batch() * halved(fault.strength()) : fault.consumer();
        return chain.consume(ITEMS / fault.batch(), consumer * slowdown(false) / 1e3);
    }

    private double halved(double micros) {
        return remedied ? micros / 2 : micros;
    }

    private double millis(int number, long call, int items) {
        SplittableRandom random = new SplittableRandom((fault.seed() * 31 + number) * 1_000_003 + call);
        double micros = 0;
        for (int i = 0; i < items; i++) {
            micros += micros(number, random);
        }
        return micros * slowdown(fault.stages().get(number).computes()) / 1e3;
    }

    private double micros(int number, SplittableRandom random) {
        FaultCase.Setting setting = fault.stages().get(number);
        int micros = setting.micros();
        if (fault.fault() == Fault.TINY_QUEUES) {
            return random.nextInt(4) == 0 ? 3 * micros : micros / 3.0;
        }
        if (number == fault.faulty()) {
            switch (fault.fault()) {
                case LONG_TAIL -> {
                    return random.nextInt(33) == 0 && !remedied ? 25 * micros : micros / 3.0;
                }
                case THROTTLED_DISK -> {
                    return halved(micros * (0.5 + random.nextDouble()));
                }
                case LIMITED_STORE -> {
                    return halved(micros);
                }
                case SLOW_STAGE, HEAVY_STAGE -> {
                    return halved(setting.computes() ? micros : wavering(micros, random));
                }
                default -> {}
            }
        }
        return setting.computes() ? micros : wavering(micros, random);
    }

    private static double wavering(int micros, SplittableRandom random) {
        return micros * (0.7 + 0.6 * random.nextDouble());
    }

    private double slowdown(boolean computes) {
        return still(Fault.GARBAGE) ? 1 / (1 - PAUSED) : still(Fault.BUSY_MACHINE) && computes ? 1 / LEFT_BY_OTHERS : 1;
    }

    private VirtualProcess process() {
        double computing = computing();
        if (still(Fault.BUSY_MACHINE)) {
            double used = Math.max(0.01, computing * LEFT_BY_OTHERS);
            return new VirtualProcess(used, VirtualProcess.PROCESSORS - used, 0, 1 / LEFT_BY_OTHERS - 1, 0);
        }
        return new VirtualProcess(Math.max(0.01, computing), 0, 0, 0, still(Fault.GARBAGE) ? PAUSED : 0);
    }

    /// How many calls of stages that compute run at once, on average.
    private double computing() {
        PipelineStats stats = run();
        return stats.stages().stream()
                        .filter(stage -> stage.placement().equals("cpu"))
                        .mapToDouble(stage -> stage.busy().toNanos())
                        .sum()
                / stats.elapsed().toNanos();
    }

    private Map<String, Evidence.Work> work() {
        Map<String, Evidence.Work> work = new HashMap<>();
        for (int i = 1; i < fault.stages().size(); i++) {
            FaultCase.Setting setting = fault.stages().get(i);
            double files = i == fault.faulty() && fault.fault() == Fault.THROTTLED_DISK ? 0.97 : 0;
            double network = i == fault.faulty() && fault.fault() == Fault.LIMITED_STORE ? 0.97 : 0;
            boolean waits = !setting.computes() || files > 0;
            double processor = waits ? 0.02 : still(Fault.BUSY_MACHINE) ? LEFT_BY_OTHERS : 1;
            work.put(setting.name(), new Evidence.Work(processor, files, network, ""));
        }
        return work;
    }
}
