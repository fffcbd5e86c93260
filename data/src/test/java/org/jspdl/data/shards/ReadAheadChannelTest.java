package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Remote shards while the server misbehaves.
class ReadAheadChannelTest {
    private static final int BLOCK = 1 << 16;
    private static final int SIZE = 40 * BLOCK + 12_345;
    private static final long SEED = 3;

    private final BufferPool pool = BufferPool.create("blocks", 1 << 24);
    private ObjectServer server;

    @BeforeEach
    void start() throws IOException {
        server = ObjectServer.start(Faults.none());
        server.put("/shard", ObjectContent.seeded(SEED, SIZE));
    }

    @AfterEach
    void stop() throws IOException {
        pool.close();
        server.close();
    }

    private ReadAheadChannel open(Storage storage) throws IOException {
        StoredObject object = storage.object(server.url("/shard"));
        return new ReadAheadChannel(object, BLOCK, pool, object.size());
    }

    private static Storage storage(Duration deadline) {
        return Storage.open(StorageOptions.defaults().readDeadline(deadline).retryBudget(1));
    }

    /// Reads in pieces of random sizes, sometimes from another place; how many bytes were compared.
    private static long compare(SeekableByteChannel channel, long seed, int pieces) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        ByteBuffer piece = ByteBuffer.allocate(2 * BLOCK);
        long compared = 0;
        for (int i = 0; i < pieces; i++) {
            if (random.nextInt(8) == 0) {
                channel.position(random.nextInt(SIZE));
            }
            long from = channel.position();
            int length = channel.read(piece.clear().limit(1 + random.nextInt(piece.capacity() - 1)));
            if (length < 0) {
                assertThat(from).isEqualTo(SIZE);
                channel.position(0);
            }
            for (int at = 0; at < length; at++) {
                if (piece.get(at) != ObjectContent.byteAt(SEED, from + at)) {
                    throw new AssertionError("wrong byte at " + (from + at) + ", seed " + seed);
                }
            }
            compared += Math.max(0, length);
        }
        return compared;
    }

    @Test
    void everyByteIsRightWhateverTheServerDoes() throws IOException {
        server.faults(Faults.none()
                .seed(7)
                .unavailable(0.1, Duration.ZERO)
                .reset(0.05)
                .truncated(0.05)
                .wrongRange(0.05));
        try (Storage storage = storage(Duration.ofSeconds(100))) {
            for (long seed = 0; seed < 4; seed++) {
                try (ReadAheadChannel channel = open(storage)) {
                    assertThat(compare(channel, seed, 60)).isGreaterThan(SIZE / 2);
                }
                assertThat(pool.outstanding()).as("seed %d", seed).isZero();
            }
            assertThat(storage.stats().retries()).isPositive();
        }
    }

    @Test
    void aServerThatStaysAwayIsOneErrorAndNothingIsLeft() throws IOException {
        try (Storage storage = storage(Duration.ofSeconds(100))) {
            try (ReadAheadChannel channel = open(storage)) {
                channel.read(ByteBuffer.allocate(100));
                // It says that it stays away for longer than anybody waits.
                server.faults(Faults.none().unavailable(1, Duration.ofHours(1)));
                assertThatThrownBy(() -> compare(channel, 1, 1_000))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining("within 100000 ms: the server said 503");
            }
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void anInterruptedReadEndsAndTheChannelCanBeClosed() throws IOException {
        try (Storage storage = storage(Duration.ofSeconds(20))) {
            try (ReadAheadChannel channel = open(storage)) {
                server.faults(Faults.latency(Duration.ofSeconds(10)));
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(100)))
                        .isInstanceOf(InterruptedIOException.class);
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(pool.outstanding()).isZero();
        }
    }
}
