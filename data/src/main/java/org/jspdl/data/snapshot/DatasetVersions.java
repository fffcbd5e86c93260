package org.jspdl.data.snapshot;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Offered to a plan of whose dataset several processes read parts: one of them lists it and looks at the versions of
/// its files, and all read these versions or fail. Sources ask in the order of the plan. Thread-safe; made for one
/// compiled plan.
public final class DatasetVersions {
    private final @Nullable Iterator<FileVersions> expected;
    private final List<Looking> told = new ArrayList<>();

    private DatasetVersions(@Nullable Iterator<FileVersions> expected) {
        this.expected = expected;
    }

    /// For the process that looks: files may have any version.
    public static DatasetVersions toBeTold() {
        return new DatasetVersions(null);
    }

    /// For the others.
    ///
    /// @param versions what the first saw, by source
    public static DatasetVersions expecting(List<FileVersions> versions) {
        return new DatasetVersions(List.copyOf(versions).iterator());
    }

    /// Looks at the files of a source.
    @FunctionalInterface
    public interface Looking {
        /// Their versions now.
        FileVersions look() throws IOException;
    }

    /// What the files of a source must be.
    ///
    /// @param offered to the plan, if something is
    /// @param now     how to look at them
    /// @throws IllegalStateException if the process that looked has fewer sources
    public static FileVersions expected(Optional<DatasetVersions> offered, Looking now) {
        return offered.map(all -> all.next(now)).orElse(FileVersions.UNKNOWN);
    }

    private synchronized FileVersions next(Looking now) {
        if (expected == null) {
            told.add(now);
            return FileVersions.UNKNOWN;
        }
        if (!expected.hasNext()) {
            throw new IllegalStateException("the plan has more sources here than where its dataset was listed");
        }
        return expected.next();
    }

    /// The versions of the files of all sources, in the order of the plan.
    public synchronized List<FileVersions> look() throws IOException {
        List<FileVersions> seen = new ArrayList<>();
        for (Looking each : told) {
            seen.add(each.look());
        }
        return seen;
    }
}
