package org.jspdl.data.storage;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.jfr.FlightRecorder;
import org.jspdl.memory.Closeables;
import org.jspdl.stats.RequestObserver;

/// Sends every location to the storage of its scheme, which is opened when first used. Owns those storages.
final class SchemeStorage implements Storage {
    private final StorageProviders providers = new StorageProviders();
    private final StorageOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<StorageProvider, Storage> opened = new HashMap<>();
    private boolean closed;

    SchemeStorage(StorageOptions options) {
        this.options = options;
    }

    @Override
    public StoredObject object(Location location) throws IOException {
        StoredObject object = serving(location).object(location);
        LongConsumer told = options.requests().opened();
        StoredObject counted = told == RequestObserver.READS_UNTOLD ? object : new CountedObject(object, told);
        return FlightRecorder.isInitialized() ? new RecordedObject(counted) : counted;
    }

    @Override
    public Stream<ListedObject> list(Location location) throws IOException {
        return serving(location).list(location);
    }

    @Override
    public Stream<ListedObject> list(Location location, Predicate<String> enters) throws IOException {
        return serving(location).list(location, enters);
    }

    @Override
    public void put(Location location, MemorySegment content) throws IOException {
        serving(location).put(location, content);
    }

    @Override
    public void delete(Location location) throws IOException {
        serving(location).delete(location);
    }

    @Override
    public void requireWritable(Location folder) throws IOException {
        serving(folder).requireWritable(folder);
    }

    @Override
    public String server(Location location) {
        return providers.find(location).map(StorageProvider::server).orElse("");
    }

    private Storage serving(Location location) throws StorageException {
        StorageProvider provider = providers.serving(location);
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the storage was closed; cannot reach " + location);
            }
            return opened.computeIfAbsent(provider, chosen -> chosen.open(options));
        } finally {
            lock.unlock();
        }
    }

    private List<Storage> opened() {
        lock.lock();
        try {
            return new ArrayList<>(opened.values());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public StorageOptions options() {
        return options;
    }

    @Override
    public StorageStats stats() {
        return opened().stream().map(Storage::stats).reduce(StorageStats.NONE, StorageStats::plus);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        Closeables.closeAll(opened());
    }
}
