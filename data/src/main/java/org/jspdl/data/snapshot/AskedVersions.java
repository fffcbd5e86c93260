package org.jspdl.data.snapshot;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.ObjectVersion;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;

/// Versions of objects that are asked for, many at once: the storage bounds the requests to a host.
final class AskedVersions {
    private AskedVersions() {}

    /// In the order of `objects`.
    static long[] of(Storage storage, List<Location> objects) throws IOException {
        try (ExecutorService asking = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("jspdl-versions-", 0).factory())) {
            List<Future<Long>> asked = new ArrayList<>();
            for (Location object : objects) {
                asked.add(asking.submit(() -> ask(storage, object)));
            }
            long[] versions = new long[objects.size()];
            try {
                for (int i = 0; i < versions.length; i++) {
                    versions[i] = asked.get(i).get();
                }
            } catch (InterruptedException interrupted) {
                asking.shutdownNow();
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while the versions of shards were asked for");
            } catch (ExecutionException failed) {
                asking.shutdownNow();
                switch (failed.getCause()) {
                    case IOException unread -> throw unread;
                    case RuntimeException mistake -> throw mistake;
                    case Error error -> throw error;
                    case null, default -> throw new IllegalStateException(failed);
                }
            }
            return versions;
        }
    }

    private static long ask(Storage storage, Location location) throws IOException {
        try (StoredObject object = storage.object(location)) {
            return ObjectVersion.hash(object.version());
        }
    }
}
