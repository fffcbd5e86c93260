package org.jspdl.observe.diagnosis;

import java.util.List;
import java.util.stream.Collectors;

/// Something that limits a run.
///
/// @param limit      what
/// @param stage      where; empty if it is not one stage
/// @param confidence how sure that is, between 0 and 1
/// @param evidence   the numbers that say so, as a sentence without its full stop
/// @param remedies   what to change, the most effective first
public record Finding(Limit limit, String stage, double confidence, String evidence, List<Remedy> remedies) {
    /// Sorts the remedies.
    public Finding {
        remedies = remedies.stream()
                .sorted((one, other) -> Double.compare(other.gain(), one.gain()))
                .toList();
    }

    /// How sure it is, in a word.
    public String certainty() {
        return confidence >= 0.8 ? "almost certain" : confidence >= 0.5 ? "probable" : "possible";
    }

    /// What limits, in a few words.
    public String headline() {
        String where = stage.isEmpty() || limit == Limit.SOURCE
                ? ""
                : limit == Limit.STAGE ? " '" + stage + "'" : " in stage '" + stage + "'";
        return (limit == Limit.STAGE ? "stage" : limit.label()) + where;
    }

    /// What limits, and how sure that is.
    public String rated() {
        return limit == Limit.UNKNOWN ? headline() : headline() + " (" + certainty() + ")";
    }

    /// What limits, how sure that is and why, as a sentence.
    public String sentence() {
        return "Bottleneck: " + rated() + ": " + evidence + ".";
    }

    @Override
    public String toString() {
        String help = remedies.isEmpty()
                ? ""
                : remedies.stream()
                        .limit(3)
                        .map(Remedy::toString)
                        .collect(Collectors.joining("; ", " What would help: ", "."));
        return sentence() + help;
    }
}
