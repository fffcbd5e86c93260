package org.jspdl.pipeline.internal.stage;

/// Finds out whether a source that is quick itself keeps those behind it waiting, since its link holds too few items.
///
/// Those who take slowly leave the link full: there, more room would gain nothing and put more items on their way. Used
/// by the source alone.
final class SourcePace {
    private static final int WINDOW = 64;
    /// So many of a window's items have to meet an empty link.
    private static final int EMPTY = WINDOW / 16;
    /// So many may take long, since anything can be interrupted.
    private static final int SLOW = WINDOW / 8;
    /// One after the other; a run's first items always meet an empty link.
    private static final int WINDOWS = 3;

    private int items;
    private int empty;
    private int slow;
    private int windows;

    /// Takes note of an item; returns true once, when the link should have more room.
    ///
    /// @param quick    whether the source made it in next to no time
    /// @param metEmpty whether everything before it was taken
    boolean wantsRoom(boolean quick, boolean metEmpty) {
        if (windows >= WINDOWS) {
            return false;
        }
        slow += quick ? 0 : 1;
        empty += metEmpty ? 1 : 0;
        if (++items < WINDOW) {
            return false;
        }
        windows = empty >= EMPTY && slow <= SLOW ? windows + 1 : 0;
        items = 0;
        empty = 0;
        slow = 0;
        return windows == WINDOWS;
    }
}
