package org.jspdl.source;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The files of a folder in the order of their names, those that are still to come among them.
///
/// A position keeps the name of the last file, so a run resumes at once.
///
/// @param end the file that says that no more will come; empty if there is no end
record GrowingFolder(Path folder, String glob, Optional<String> end) implements Source<Path> {
    /// File systems that can't be watched, such as those of a network, are listed this often.
    private static final long LOOK_SECONDS = 1;

    @Override
    public Cursor<Path> open(long epoch, Position from) throws IOException {
        return new FolderCursor(from);
    }

    @Override
    public String identity() {
        return "files " + glob + " of a growing folder";
    }

    private final class FolderCursor implements Cursor<Path> {
        private final PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        private final ArrayDeque<String> ready = new ArrayDeque<>();
        private @Nullable WatchService watch;
        private String last;
        private long files;

        FolderCursor(Position from) {
            last = from.state();
            files = from.index();
        }

        @Override
        public boolean advance() throws IOException, InterruptedException {
            while (ready.isEmpty()) {
                WatchService changes = watch();
                // Before the files are listed: all of them were there when the end was.
                boolean ended = end.isPresent() && Files.exists(folder.resolve(end.get()));
                list();
                if (ready.isEmpty()) {
                    if (ended) {
                        return false;
                    }
                    WatchKey key = changes.poll(LOOK_SECONDS, TimeUnit.SECONDS);
                    if (key != null) {
                        key.pollEvents();
                        key.reset();
                    }
                }
            }
            last = ready.removeFirst();
            files++;
            return true;
        }

        /// Watches from before the first listing, so that no file is missed between it and the wait.
        private WatchService watch() throws IOException {
            WatchService opened = watch;
            if (opened == null) {
                opened = folder.getFileSystem().newWatchService();
                watch = opened;
                folder.register(opened, StandardWatchEventKinds.ENTRY_CREATE);
            }
            return opened;
        }

        private void list() throws IOException {
            List<String> names;
            try (Stream<Path> entries = Files.list(folder)) {
                names = entries.map(Path::getFileName)
                        .filter(matcher::matches)
                        .map(Path::toString)
                        .filter(name -> !name.equals(end.orElse("")))
                        .sorted()
                        .toList();
            }
            long before =
                    names.stream().filter(name -> name.compareTo(last) <= 0).count();
            if (before > files) {
                throw new IOException(folder + ": a file appeared whose name comes before '" + last
                        + "', which was read already; later files need greater names, such as numbers of equal length");
            }
            names.stream().filter(name -> name.compareTo(last) > 0).forEach(ready::add);
        }

        @Override
        public Path item() {
            return folder.resolve(last);
        }

        @Override
        public Position position() {
            return new Position(files, last);
        }

        @Override
        public void close() throws IOException {
            if (watch != null) {
                watch.close();
            }
        }
    }
}
