package org.jspdl.plan.record;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// Samples that a run leaves out, offered to the sources of its plan by [org.jspdl.plan.PlanContext#offer], which tell
/// what they have of them. Safe for any thread.
public final class SkippedSamples {
    private final SortedSet<String> names;
    private final SortedSet<String> missing;

    /// @param names of samples, as [SampleOrigin] has them
    public SkippedSamples(Collection<String> names) {
        this.names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
        this.missing = new TreeSet<>(names);
    }

    /// What is to be left out.
    public SortedSet<String> names() {
        return names;
    }

    /// A source has these, and leaves them out; other names make no difference.
    public synchronized void found(Collection<String> samples) {
        missing.removeAll(samples);
    }

    /// Refuses names that no source has, when all are open: such a sample would be loaded without a word.
    ///
    /// @throws IllegalArgumentException if there are any; the message has the first
    public synchronized void requireFound() {
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("no source has the sample '" + missing.first() + "'"
                    + (missing.size() == 1 ? "" : " and " + (missing.size() - 1) + " more")
                    + " that are to be left out: names must be as 'jspdl batch --inspect' prints them, and of the sources"
                    + " images, sample-images, files, shards, coco or indices");
        }
    }
}
