package org.jspdl.spark;

/// Places of a plan.
///
/// @param from     the first
/// @param to       behind the last
/// @param snapshot of the dataset and of all else that decides what comes of them, as the driver sees it
record PlanPiece(long from, long to, String snapshot) implements Piece {
    @Override
    public String toString() {
        return "places " + from + " to " + (to - 1) + " of a plan";
    }
}
