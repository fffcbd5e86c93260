package org.jspdl.observe;

import java.util.ArrayList;
import java.util.List;

/// Snapshots of a run at even distances. Bounded: when it is full, every second one is forgotten and the distance
/// doubles. Guarded by itself.
final class Series {
    private static final int MOST = 240;

    private final List<Snapshot> snapshots = new ArrayList<>(MOST + 1);
    private long distance = 1;
    private long offered;

    /// Keeps `snapshot` if it is its turn.
    synchronized void offer(Snapshot snapshot) {
        if (offered++ % distance != 0) {
            return;
        }
        snapshots.add(snapshot);
        if (snapshots.size() > MOST) {
            for (int i = snapshots.size() - 2; i > 0; i -= 2) {
                snapshots.remove(i);
            }
            distance *= 2;
        }
    }

    /// The snapshots, oldest first.
    synchronized List<Snapshot> list() {
        return List.copyOf(snapshots);
    }
}
