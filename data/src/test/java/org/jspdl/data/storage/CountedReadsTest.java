package org.jspdl.data.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.stats.RemoteRequest;
import org.jspdl.stats.RequestObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whoever asks for it is told how many bytes each read gave.
class CountedReadsTest {
    @TempDir
    Path folder;

    private final List<Long> told = new ArrayList<>();

    private final RequestObserver observer = new RequestObserver() {
        @Override
        public void ended(RemoteRequest request) {}

        @Override
        public LongConsumer opened() {
            return told::add;
        }
    };

    @Test
    void eachWayToReadTellsTheBytesThatItGave() throws Exception {
        Path file = Files.write(folder.resolve("a"), new byte[10_000]);
        try (Storage storage = Storage.open(StorageOptions.defaults().requests(observer));
                BufferPool pool = BufferPool.unbounded("counted");
                StoredObject object = storage.object(Location.of(file));
                Arena arena = Arena.ofConfined()) {
            object.readAll(pool, 1 << 20).close();
            object.read(100, 200, pool).close();
            object.read(0, arena.allocate(7));
            object.read(List.of(new ByteRange(0, 10), new ByteRange(50, 20)), pool)
                    .forEach(Lease::close);
            assertThatThrownBy(() -> object.read(9_999, 2, pool)).isInstanceOf(StorageException.class);

            assertThat(told).containsExactly(10_000L, 200L, 7L, 30L);
            assertThat(storage.stats().bytes()).isEqualTo(10_237);
            assertThat(object.toString()).contains(file.toString());
        }
    }

    @Test
    void anObserverOfRequestsAloneIsToldOfNone() throws Exception {
        Path file = Files.write(folder.resolve("a"), new byte[10]);
        try (Storage storage = Storage.open(StorageOptions.defaults().requests(_ -> told.add(1L)));
                BufferPool pool = BufferPool.unbounded("counted");
                StoredObject object = storage.object(Location.of(file))) {
            object.readAll(pool, 100).close();

            assertThat(told).isEmpty();
            assertThat(object).isInstanceOf(LocalFile.class);
        }
    }
}
