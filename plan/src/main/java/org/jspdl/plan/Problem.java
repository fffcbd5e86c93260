package org.jspdl.plan;

/// One thing that is wrong with a plan.
///
/// @param path    where
/// @param spot    which part of it
/// @param message what, and what would be right
public record Problem(PlanPath path, Spot spot, String message) {

    /// Which part of a field is meant.
    public enum Spot {
        /// Its name.
        NAME,
        /// Its value.
        VALUE
    }

    static Problem name(PlanPath path, String message) {
        return new Problem(path, Spot.NAME, message);
    }

    static Problem value(PlanPath path, String message) {
        return new Problem(path, Spot.VALUE, message);
    }

    @Override
    public String toString() {
        return path + ": " + message;
    }
}
