package org.jspdl.spark;

/// Places of a plan.
///
/// @param from the first
/// @param to   behind the last
record PlanPiece(long from, long to) implements Piece {
    @Override
    public String toString() {
        return "places " + from + " to " + (to - 1) + " of a plan";
    }
}
