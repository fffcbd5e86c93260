package org.jspdl.observe.diagnosis;

import java.util.List;

/// What limits a run.
///
/// @param findings what was found, the most important first; never empty
public record Diagnosis(List<Finding> findings) {

    /// The most important finding.
    public Finding first() {
        return findings.getFirst();
    }

    /// Diagnoses an interval of a run.
    public static Diagnosis of(Evidence evidence) {
        return new Diagnosis(new Diagnostician(evidence).findings());
    }

    @Override
    public String toString() {
        return first().toString();
    }
}
