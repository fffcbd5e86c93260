package org.jspdl.cli.tune;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// A value for each knob. Immutable.
public record Setting(SequencedMap<Knob, Integer> values) {
    /// Copies the map.
    public Setting {
        values = new LinkedHashMap<>(values);
    }

    static Setting start(List<Knob> knobs) {
        SequencedMap<Knob, Integer> values = new LinkedHashMap<>();
        knobs.forEach(knob -> values.put(knob, knob.start()));
        return new Setting(values);
    }

    /// The value of `knob`.
    public int of(Knob knob) {
        return Objects.requireNonNull(values.get(knob), knob::name);
    }

    /// The same with `knobs` multiplied; each changes by one at least, if its limits allow it.
    Setting scaled(List<Knob> knobs, double factor) {
        SequencedMap<Knob, Integer> changed = new LinkedHashMap<>(values);
        knobs.forEach(knob -> changed.compute(knob, (_, value) -> knob.scaled(Objects.requireNonNull(value), factor)));
        return new Setting(changed);
    }

    @Override
    public String toString() {
        return values.entrySet().stream().map(Setting::described).collect(Collectors.joining(", "));
    }

    private static String described(Map.Entry<Knob, Integer> value) {
        return value.getKey().name() + " " + value.getValue();
    }
}
