package org.jspdl.observe;

import java.time.Duration;
import java.util.Map;

/// What a stage's function does with its time, from sampled calls.
///
/// @param calls      calls whose time was measured
/// @param wall       how long those took
/// @param cpu        processor time of those; zero where it can't be measured, which is on virtual threads
/// @param samples      stack samples of running calls
/// @param activities what it was found doing, as parts of all samples
/// @param place      the method that was found most often; empty without samples
/// @param readBytes  what it has read from storage; negative if that was not counted
public record StageWork(
        long calls,
        Duration wall,
        Duration cpu,
        long samples,
        Map<Activity, Double> activities,
        String place,
        long readBytes) {
    /// Nothing was seen.
    public static final StageWork NONE = new StageWork(0, Duration.ZERO, Duration.ZERO, 0, Map.of(), "");

    /// Reads were not counted.
    public StageWork(
            long calls, Duration wall, Duration cpu, long samples, Map<Activity, Double> activities, String place) {
        this(calls, wall, cpu, samples, activities, place, -1);
    }

    StageWork reading(long bytes) {
        return new StageWork(calls, wall, cpu, samples, activities, place, bytes);
    }

    /// Whether something of the processor time of calls is known.
    boolean isKnown() {
        return samples > 0 || calls > 0;
    }

    /// The part of the samples at which the function did `activity`.
    public double share(Activity activity) {
        return activities.getOrDefault(activity, 0.0);
    }

    /// The part of the time that the function spent on a processor, between 0 and 1: measured where it can be, else
    /// told from the samples.
    public double processorShare() {
        if (!wall.isZero() && !cpu.isZero()) {
            return Math.clamp((double) cpu.toNanos() / wall.toNanos(), 0.0, 1.0);
        }
        return samples == 0 ? 1 : share(Activity.COMPUTING);
    }

    /// What the function did most of the time; computing if nothing was seen.
    public Activity mostly() {
        return activities.entrySet().stream()
                .max((one, other) -> one.getValue().compareTo(other.getValue()))
                .map(Map.Entry::getKey)
                .orElse(Activity.COMPUTING);
    }
}
