package org.jspdl.source;

/// How the ranks of a source are made to match, where its items do not go round or are not counted.
///
/// If the numbers are known, three of these differ in the remainder only. If a [ShardStream] does not know how many
/// items its shards have, `COUNT` needs to be told, `STOP_TOGETHER` and `REPEAT` let every rank read all shards and
/// keep each n-th item, and `UNEVEN` deals whole shards.
public enum Even {
    /// All ranks get equally many of what is known or was counted; a remainder is left out.
    COUNT(""),
    /// All ranks end together, where the first one has no more; a remainder is left out.
    STOP_TOGETHER(".even(stop-together)"),
    /// A remainder is filled up with items from the start of the epoch's order: every item comes, some twice.
    REPEAT(".even(repeat)"),
    /// Each item goes to exactly one rank, and ranks end apart: for validation, where they do not wait for each
    /// other.
    UNEVEN(".even(uneven)");

    private final String text;

    Even(String text) {
        this.text = text;
    }

    /// What is written behind an order that is evened so.
    String text() {
        return text;
    }

    /// Whether a remainder is left out, so that ranks get nothing of fewer items than there are ranks.
    public boolean drops() {
        return this == COUNT || this == STOP_TOGETHER;
    }

    /// Whether this deals items round-robin if nobody knows how many there are.
    boolean takesTurns() {
        return this == STOP_TOGETHER || this == REPEAT;
    }
}
