package org.jspdl.observe.machine;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// Energy that the processors of the machine have taken, for all processes together. Immutable.
///
/// @param microjoules by domain, such as `package-0` and `package-0 dram`; empty if it is not known
/// @param unknown     why it is not known, in words; empty if it is
public record Energy(Map<String, Long> microjoules, String unknown) {
    private static final double MICROJOULES = 1e6;

    /// Copies the map, and sorts it.
    public Energy {
        microjoules = Collections.unmodifiableMap(new TreeMap<>(microjoules));
    }

    /// An energy that is not known.
    public static Energy unknown(String why) {
        return new Energy(Map.of(), why);
    }

    /// Whether the machine tells.
    public boolean isKnown() {
        return unknown.isEmpty();
    }

    /// The sum over all domains, in joules; 0 if it is not known.
    public double joules() {
        return microjoules.values().stream().mapToLong(each -> each).sum() / MICROJOULES;
    }

    /// What was taken between `earlier` and this moment; not known unless both are, of the same domains.
    public Energy since(Energy earlier) {
        if (!isKnown()) {
            return this;
        }
        if (!earlier.isKnown()) {
            return earlier;
        }
        if (!microjoules.keySet().equals(earlier.microjoules.keySet())) {
            return unknown("the machine told of " + earlier.microjoules.keySet() + " before, and of "
                    + microjoules.keySet() + " now");
        }
        Map<String, Long> more = new TreeMap<>();
        microjoules.forEach((domain, now) -> more.put(domain, now - earlier.microjoules.getOrDefault(domain, 0L)));
        return new Energy(more, "");
    }
}
