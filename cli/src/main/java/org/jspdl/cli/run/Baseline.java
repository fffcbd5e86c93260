package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspdl.files.InputFile;
import org.jspdl.json.Json;
import org.jspdl.observe.text.Figures;
import org.jspecify.annotations.Nullable;

/// What an earlier run took, as its JSON report says, to compare another run with. Immutable.
///
/// Four figures are compared: throughput, processor time, bytes read (in all, and by each stage) and, where the machine
/// tells, energy, each for an item. Their noise is measured within each run: four standard errors over eight stretches
/// of it without its first third, or over its epochs after the first if those are more; at least [#LEAST]. Of a run
/// that is too short for that, only the bytes are compared.
/// Other processes slow a run down: throughput depends on what else the machine does, bytes do not.
public final class Baseline {
    /// What runs differ by although nothing has changed, beyond what is seen within a run.
    static final double LEAST = 0.03;

    private static final double ERRORS = 4;
    private static final int STRETCHES = 8;
    /// Of each part of a run: items, seconds, processor time and joules.
    private static final int FIGURES = 4;
    private static final int LARGEST = 256 << 20;
    private static final String NO_REPORT = " is no report of 'jspdl run --json'";
    /// A stage is named if it accounts for this part of what is more.
    private static final double NAMED = 0.25;
    /// Settings that make a run another one. Where the data lies may change.
    private static final List<String> DECISIVE = List.of(
            "images_per_epoch", "size", "resize", "layout", "dtype", "crop", "quality", "batch_size", "world_size");

    private final Path file;
    private final Map<?, ?> report;

    private Baseline(Path file, Map<?, ?> report) {
        this.file = file;
        this.report = report;
    }

    /// Reads what `--json` has written.
    ///
    /// @throws IllegalArgumentException if it is something else, or of a run that was interrupted
    public static Baseline read(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(file + NO_REPORT + ": it is a folder");
        }
        if (Files.size(file) > LARGEST) {
            throw new IllegalArgumentException(file + NO_REPORT + ": it is larger than " + Figures.bytes(LARGEST));
        }
        Baseline baseline = new Baseline(file, parse(file.toString(), text(file)));
        if (Boolean.TRUE.equals(baseline.report.get("interrupted"))) {
            throw new IllegalArgumentException(file + " is the report of a run that was interrupted");
        }
        return baseline;
    }

    private static String text(Path file) throws IOException {
        try {
            return InputFile.text(file, LARGEST);
        } catch (FileSystemException unreadable) {
            if (unreadable.getReason() == null) {
                throw unreadable;
            }
            throw new IllegalArgumentException(file + NO_REPORT + ": " + unreadable.getReason(), unreadable);
        }
    }

    private static Map<?, ?> parse(String name, String json) {
        try {
            if (Json.parse(json) instanceof Map<?, ?> object && object.get("total_items") instanceof Number) {
                return object;
            }
        } catch (IllegalArgumentException damaged) {
            throw new IllegalArgumentException(name + NO_REPORT + ": " + damaged.getMessage());
        }
        throw new IllegalArgumentException(name + NO_REPORT);
    }

    /// What a comparison says.
    ///
    /// @param worse       each figure that is worse by more than its noise, in words; empty if none is
    /// @param notCompared what could not be compared, and why
    public record Verdict(List<String> worse, List<String> notCompared) {}

    /// The file that it was read from.
    public Path file() {
        return file;
    }

    /// Compares the run that `json` reports.
    ///
    /// @throws IllegalArgumentException if the runs are not of the same kind, with what differs
    public Verdict compare(String json) {
        Map<?, ?> now = parse("the report", json);
        requireSame(now);
        List<String> worse = new ArrayList<>();
        List<String> notCompared = new ArrayList<>();
        List<double[]> here = parts(now);
        List<double[]> then = parts(report);
        if (here.isEmpty() || then.isEmpty()) {
            notCompared.add("throughput and CPU: " + (then.isEmpty() ? file.toString() : "this run")
                    + " is too short to know its noise; give more epochs");
        } else {
            compare(
                            "throughput",
                            " items/s",
                            Measured.of(here, Baseline::rate),
                            Measured.of(then, Baseline::rate),
                            true)
                    .ifPresent(words -> worse.add(words + named(now, Each.TIME)));
            compare(
                            "CPU",
                            " s per 1,000 items",
                            Measured.of(here, Baseline::cpu),
                            Measured.of(then, Baseline::cpu),
                            false)
                    .ifPresent(words -> worse.add(words + named(now, Each.CPU)));
        }
        energy(stretches(now), stretches(report), notCompared)
                .ifPresent(words -> worse.add(words + named(now, Each.ENERGY)));
        bytes(now, worse);
        return new Verdict(worse, notCompared);
    }

    /// In all, or by a stage that reads more although another reads less.
    private void bytes(Map<?, ?> now, List<String> worse) {
        Optional<String> all =
                compare("bytes read", " per item", Measured.exact(bytes(now)), Measured.exact(bytes(report)), false);
        all.ifPresent(words -> worse.add(words + named(now, Each.READ)));
        if (all.isPresent()) {
            return;
        }
        List<? extends Map<?, ?>> then = stages(report).toList();
        List<? extends Map<?, ?>> here = stages(now).toList();
        for (int i = 0; i < here.size(); i++) {
            compare(
                            "bytes read by stage '" + name(here.get(i)) + "'",
                            " per item",
                            Measured.exact(Each.READ.of(here.get(i), now)),
                            Measured.exact(Each.READ.of(then.get(i), report)),
                            false)
                    .ifPresent(worse::add);
        }
    }

    /// Where the machine tells of energy, now and then.
    private Optional<String> energy(List<double[]> here, List<double[]> then, List<String> notCompared) {
        if (here.isEmpty() || then.isEmpty()) {
            return Optional.empty();
        }
        boolean known = knowsEnergy(here);
        if (known != knowsEnergy(then)) {
            notCompared.add("energy: " + (known ? file.toString() : "the report of this run") + " does not have it");
        }
        return known && knowsEnergy(then)
                ? compare(
                        "energy",
                        " J per 1,000 items",
                        Measured.of(here, Baseline::joules),
                        Measured.of(then, Baseline::joules),
                        false)
                : Optional.empty();
    }

    private static boolean knowsEnergy(List<double[]> parts) {
        return parts.stream().allMatch(part -> part[3] > 0);
    }

    private void requireSame(Map<?, ?> now) {
        List<String> stages = stages(report).map(Baseline::name).toList();
        List<String> others = stages(now).map(Baseline::name).toList();
        if (!stages.equals(others)) {
            throw new IllegalArgumentException(
                    "the runs can't be compared: " + file + " has the stages " + stages + ", this run has " + others);
        }
        Map<?, ?> then = object(report.get("settings"));
        for (String key : DECISIVE) {
            Object here = object(now.get("settings")).get(key);
            if (!Objects.equals(then.get(key), here)) {
                throw new IllegalArgumentException("the runs can't be compared: " + key + " is " + here + ", in " + file
                        + " it is " + then.get(key));
            }
        }
    }

    private static Optional<String> compare(String what, String unit, Measured now, Measured then, boolean more) {
        if (then.mean <= 0 || now.mean <= 0) {
            return Optional.empty();
        }
        double change = now.mean / then.mean - 1;
        double noise = Math.max(LEAST, ERRORS * Math.hypot(now.error / now.mean, then.error / then.mean));
        return (more ? -change : change) <= noise
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s: %s%s, %s before (%+.1f %%, noise %.1f %%)",
                        what,
                        number(now.mean),
                        unit,
                        number(then.mean),
                        100 * change,
                        100 * noise));
    }

    private static String number(double value) {
        return value >= 1000 ? Figures.count(Math.round(value)) : String.format(Locale.ROOT, "%.3g", value);
    }

    /// What a stage takes for each item of the run.
    private enum Each {
        TIME("time per item", "ms", 1e3) {
            @Override
            double of(Map<?, ?> stage, Map<?, ?> run) {
                return perItem(number(stage, "seconds_per_item") * number(stage, "completed"), run);
            }
        },
        CPU("CPU per item", "ms", 1e3) {
            @Override
            double of(Map<?, ?> stage, Map<?, ?> run) {
                return number(stage, "cpu_share") * TIME.of(stage, run);
            }
        },
        READ("bytes read per item", "B", 1) {
            @Override
            double of(Map<?, ?> stage, Map<?, ?> run) {
                return perItem(number(stage, "read_bytes"), run);
            }
        },
        ENERGY("energy per 1,000 items", "J", 1e3) {
            @Override
            double of(Map<?, ?> stage, Map<?, ?> run) {
                return perItem(number(stage, "joules"), run);
            }
        };

        private final String label;
        private final String unit;
        private final double scale;

        Each(String label, String unit, double scale) {
            this.label = label;
            this.unit = unit;
            this.scale = scale;
        }

        /// 0 if it is not known.
        abstract double of(Map<?, ?> stage, Map<?, ?> run);

        private static double perItem(double all, Map<?, ?> run) {
            return Math.max(0, all) / Math.max(1, number(run, "total_items"));
        }
    }

    /// The stage that takes most more of it, if any takes a good part of all that is more.
    private String named(Map<?, ?> now, Each each) {
        List<? extends Map<?, ?>> then = stages(report).toList();
        List<? extends Map<?, ?>> here = stages(now).toList();
        double all = 0;
        double most = 0;
        int at = -1;
        for (int i = 0; i < here.size(); i++) {
            double before = each.of(then.get(i), report);
            double more = each.of(here.get(i), now) - before;
            all += Math.max(0, more);
            // Where it was not known before, nothing tells whether it is more.
            boolean known = before > 0 || each == Each.TIME || each == Each.CPU;
            if (known && more > most) {
                most = more;
                at = i;
            }
        }
        return at < 0 || most < NAMED * all
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; most in stage '%s': %s %s %s, %s %s before",
                        name(here.get(at)),
                        each.label,
                        number(each.scale * each.of(here.get(at), now)),
                        each.unit,
                        number(each.scale * each.of(then.get(at), report)),
                        each.unit);
    }

    private static double bytes(Map<?, ?> run) {
        double stored = number(object(run.get("storage")), "bytes");
        double read = stored > 0 ? stored : number(object(run.get("process")), "read_bytes");
        return read / Math.max(1, number(run, "total_items"));
    }

    /// @param error standard error of the mean
    private record Measured(double mean, double error) {
        static Measured exact(double value) {
            return new Measured(value, 0);
        }

        static Measured of(List<double[]> parts, ToDoubleFunction<double[]> quantity) {
            double[] sum = new double[FIGURES];
            parts.forEach(part -> add(sum, part));
            double mean = quantity.applyAsDouble(sum);
            double squares = parts.stream()
                    .mapToDouble(part -> quantity.applyAsDouble(part) - mean)
                    .map(off -> off * off)
                    .sum();
            int n = parts.size();
            return new Measured(mean, Math.sqrt(squares / (n - 1) / n));
        }
    }

    /// What the noise of a run is measured by; empty if it is too short.
    private static List<double[]> parts(Map<?, ?> run) {
        List<double[]> epochs = epochs(run);
        return epochs.size() > STRETCHES ? epochs : stretches(run);
    }

    private static void add(double[] sum, double[] part) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += part[i];
        }
    }

    /// Items, seconds and processor time of each epoch but the first.
    private static List<double[]> epochs(Map<?, ?> run) {
        return list(run.get("epochs")).stream()
                .skip(1)
                .map(Baseline::object)
                .map(epoch ->
                        new double[] {number(epoch, "items"), number(epoch, "seconds"), number(epoch, "cpu_seconds"), 0
                        })
                .toList();
    }

    /// The same of stretches of the run, its first third left out; none of a run that is too short.
    private static List<double[]> stretches(Map<?, ?> run) {
        Map<?, ?> series = object(run.get("series"));
        List<?> ends = list(series.get("end_seconds"));
        List<?> rates = list(series.get("batches_per_second"));
        List<?> cpus = list(series.get("processors_used"));
        List<?> watts = list(series.get("watts"));
        double perBatch = number(run, "total_items") / Math.max(1, number(run, "batches"));
        int first = ends.size() / 3;
        int each = (ends.size() - first) / STRETCHES;
        if (each < 1 || rates.size() != ends.size() || cpus.size() != ends.size()) {
            return List.of();
        }
        List<double[]> stretches = new ArrayList<>();
        for (int k = 0; k < STRETCHES; k++) {
            double[] sum = new double[FIGURES];
            for (int i = first + k * each; i < first + (k + 1) * each; i++) {
                double seconds = value(ends.get(i)) - (i == 0 ? 0 : value(ends.get(i - 1)));
                double power = watts.size() == ends.size() ? value(watts.get(i)) : 0;
                add(sum, new double[] {
                    perBatch * seconds * value(rates.get(i)), seconds, seconds * value(cpus.get(i)), seconds * power
                });
            }
            stretches.add(sum);
        }
        return stretches.stream().allMatch(part -> part[0] > 0) ? stretches : List.of();
    }

    private static Stream<? extends Map<?, ?>> stages(Map<?, ?> run) {
        return list(run.get("stages")).stream().map(Baseline::object);
    }

    private static String name(Map<?, ?> stage) {
        return String.valueOf(stage.get("name"));
    }

    private static Map<?, ?> object(@Nullable Object value) {
        return value instanceof Map<?, ?> object ? object : Map.of();
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static double number(Map<?, ?> object, String name) {
        return value(object.get(name));
    }

    private static double value(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() : 0;
    }

    /// Items a second, of items, seconds and processor time.
    private static double rate(double[] part) {
        return part[0] / Math.max(1e-9, part[1]);
    }

    private static double joules(double[] part) {
        return 1_000 * part[3] / Math.max(1, part[0]);
    }

    private static double cpu(double[] part) {
        return 1_000 * part[2] / Math.max(1, part[0]);
    }
}
