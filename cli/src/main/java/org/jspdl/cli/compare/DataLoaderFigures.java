package org.jspdl.cli.compare;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspdl.json.Json;
import org.jspecify.annotations.Nullable;

/// What a DataLoader did in its last epoch, after the first, in which its workers start.
///
/// @param images         of the epoch
/// @param seconds        from asking for the first batch to having the last
/// @param cpuSeconds     processor time of its processes in that time; empty where the system does not say
/// @param versions       of Python, PyTorch and what decodes
/// @param workers        processes that decode
public record DataLoaderFigures(long images, double seconds, OptionalDouble cpuSeconds, String versions, long workers) {

    /// Images a second.
    public double imagesPerSecond() {
        return images / seconds;
    }

    /// Processor time for 1,000 images; empty where the system does not say.
    public OptionalDouble cpuSecondsPer1000() {
        return cpuSeconds.isPresent()
                ? OptionalDouble.of(1000 * cpuSeconds.getAsDouble() / images)
                : OptionalDouble.empty();
    }

    /// Reads the line that `dataloader.py` prints.
    ///
    /// @throws IllegalArgumentException if it is another
    static DataLoaderFigures parse(String line) {
        if (!(Json.parse(line) instanceof Map<?, ?> answer)
                || !(answer.get("epochs") instanceof List<?> epochs)
                || epochs.isEmpty()
                || !(epochs.getLast() instanceof Map<?, ?> last)) {
            throw new IllegalArgumentException("it is no report of a DataLoader: '" + line + "'");
        }
        double seconds = number(last.get("seconds")).orElse(0);
        double images = number(last.get("images")).orElse(0);
        if (!(seconds > 0) || !(images >= 1)) {
            throw new IllegalArgumentException("it loaded nothing: '" + line + "'");
        }
        return new DataLoaderFigures(
                (long) images,
                seconds,
                number(last.get("cpu_seconds")),
                "PyTorch " + word(answer, "torch") + ", " + word(answer, "decoder") + ", Python "
                        + word(answer, "python"),
                (long) number(answer.get("workers")).orElse(0));
    }

    private static String word(Map<?, ?> answer, String key) {
        return Optional.ofNullable(answer.get(key)).map(Object::toString).orElse("?");
    }

    private static OptionalDouble number(@Nullable Object value) {
        return value instanceof Number number ? OptionalDouble.of(number.doubleValue()) : OptionalDouble.empty();
    }
}
