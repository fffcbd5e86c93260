package org.jspdl.pipeline;

/// A difference between the provenance of a checkpoint and that of a run which resumed from it.
///
/// @param epoch the epoch in which the run resumed, counted from 0
/// @param key   the key, as given to [RunOptions#provenance]
/// @param was   the value in the checkpoint; empty if it had none
/// @param is    the value in the run; empty if it had none
public record ProvenanceChange(long epoch, String key, String was, String is) {
    @Override
    public String toString() {
        return key + " was " + shown(was) + " and is " + shown(is);
    }

    private static String shown(String value) {
        return value.isEmpty() ? "not given" : "'" + value + "'";
    }
}
