package org.jspdl.data.shards.classes;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.storage.Location;
import org.jspdl.input.FormatException;

/// Sees that a number means the same class in all shards of a dataset, by the names of classes that shards have in
/// their metadata. The first shard of the dataset is asked first, whichever of them is read: all ranks compare with the
/// same one. Shards without names pass. Safe for any thread.
public final class SameClasses {
    private final Location first;
    private final First reading;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Said> known = new HashMap<>();
    private boolean begun;

    /// Reads what the first shard says, and [tells][#told] it.
    @FunctionalInterface
    public interface First {
        /// Called once, unless it throws an [IOException].
        void read() throws IOException;
    }

    private record Said(Location shard, List<String> names) {}

    /// @param first of all shards of the dataset
    public SameClasses(Location first, First reading) {
        this.first = first;
        this.reading = reading;
    }

    /// Takes what a shard says.
    ///
    /// @param features what Hugging Face's library has written into the metadata of its schema; empty if nothing
    /// @throws DatasetException if it names classes otherwise than another shard; the message names both
    public void told(Location shard, String features) throws IOException {
        Map<String, List<String>> labels = ClassLabels.of(features);
        if (labels.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            if (!begun && !shard.equals(first)) {
                askFirst();
            }
            begun = true;
            for (Map.Entry<String, List<String>> each : labels.entrySet()) {
                Said here = new Said(shard, each.getValue());
                Said before = known.putIfAbsent(each.getKey(), here);
                if (before != null && !before.names.equals(here.names)) {
                    throw differ(each.getKey(), before, here);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void askFirst() throws IOException {
        try {
            reading.read();
        } catch (FormatException damaged) {
            begun = true; // who reads that shard says why, or skips it
        }
    }

    private static DatasetException differ(String column, Said before, Said here) {
        int number = 0;
        while (number < Math.min(before.names.size(), here.names.size())
                && before.names.get(number).equals(here.names.get(number))) {
            number++;
        }
        return new DatasetException("class " + number + " of '" + column + "' is " + name(before, number) + ", and "
                + name(here, number) + ": numbers of classes must mean the same in all shards that are read together;"
                + " read these apart, or write them again with the same classes");
    }

    private static String name(Said said, int number) {
        return number < said.names.size()
                ? "'" + said.names.get(number) + "' in " + said.shard
                : "not there in " + said.shard + ", which has " + said.names.size() + " classes";
    }
}
