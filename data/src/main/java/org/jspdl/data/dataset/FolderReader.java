package org.jspdl.data.dataset;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.data.internal.text.NameSorter;
import org.jspecify.annotations.Nullable;

/// Reads and sorts the names in folders, some of them side by side and ahead of whoever takes them, in the order of the
/// folders. Used by one thread, closed by its owner; closing waits for the folders that are being read.
final class FolderReader implements AutoCloseable {
    private static final int MOST_THREADS = 8;

    private final List<Path> folders;
    private final int ahead;
    private final AtomicInteger threadsMade = new AtomicInteger();
    private final ExecutorService threads;
    private final List<NameSorter> all = new ArrayList<>();
    private final Deque<NameSorter> free = new ArrayDeque<>();
    private final Queue<Future<NameSorter>> read = new ArrayDeque<>();
    private int begun;
    private @Nullable NameSorter taken;

    FolderReader(List<Path> folders) {
        this.folders = List.copyOf(folders);
        int processors = Runtime.getRuntime().availableProcessors();
        this.ahead = Math.max(1, Math.min(folders.size(), Math.min(processors, MOST_THREADS)));
        this.threads = Executors.newFixedThreadPool(ahead, this::thread);
    }

    /// A builder that counts its threads would make classes at run time, which takes longer than a short listing.
    private Thread thread(Runnable body) {
        return Thread.ofPlatform()
                .name("jspdl-listing-" + threadsMade.getAndIncrement())
                .daemon()
                .unstarted(body);
    }

    /// What lies in the next folder, see [Folder#names], sorted; valid until the next call.
    NameSorter next() throws IOException {
        if (taken != null) {
            taken.clear();
            free.push(taken);
            taken = null;
        }
        while (begun < folders.size() && read.size() < ahead + 1) {
            Path folder = folders.get(begun++);
            NameSorter names = free.isEmpty() ? another() : free.pop();
            read.add(threads.submit(() -> {
                Folder.names(folder, names::add);
                names.sort(0);
                return names;
            }));
        }
        try {
            NameSorter names = read.remove().get();
            taken = names;
            return names;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while folders were read");
        } catch (ExecutionException failure) {
            switch (failure.getCause()) {
                case IOException unreadable -> throw unreadable;
                case RuntimeException mistake -> throw mistake;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException(failure);
            }
        }
    }

    private NameSorter another() {
        NameSorter names = new NameSorter();
        all.add(names);
        return names;
    }

    @Override
    public void close() {
        read.forEach(each -> each.cancel(false));
        threads.close();
        all.forEach(NameSorter::close);
    }
}
