package org.jspdl.data.shards;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// A remote object as a channel: it is read in blocks, two of which are on their way while one is consumed.
///
/// Blocks are requested by virtual threads of their own, which end with their block. Closing waits for those that are
/// under way, because their memory must not be released before.
final class ReadAheadChannel extends ObjectChannel {
    private static final int AHEAD = 2;

    private final int blockBytes;
    private final BufferPool pool;
    private final ArrayDeque<Block> blocks = new ArrayDeque<>();

    private static final class Block {
        final long offset;
        final Lease lease;
        final FutureTask<Void> reading;
        final Thread thread;

        Block(StoredObject object, long offset, Lease lease) {
            this.offset = offset;
            this.lease = lease;
            this.reading = new FutureTask<>(() -> {
                object.read(offset, lease.segment());
                return null;
            });
            this.thread = Thread.ofVirtual().name("jspdl-shard-read").start(reading);
        }

        long end() {
            return offset + lease.byteSize();
        }

        void discard() {
            thread.interrupt();
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            lease.close();
        }
    }

    ReadAheadChannel(StoredObject object, int blockBytes, BufferPool pool, long size) {
        super(object, size);
        this.blockBytes = blockBytes;
        this.pool = pool;
    }

    @Override
    void fill(long offset, MemorySegment target) throws IOException {
        long done = 0;
        while (done < target.byteSize()) {
            Block block = blockAt(offset + done);
            long from = offset + done - block.offset;
            long n = Math.min(target.byteSize() - done, block.lease.byteSize() - from);
            MemorySegment.copy(block.lease.segment(), from, target, done, n);
            done += n;
        }
    }

    /// Requests the blocks from the position on; call it before the first read.
    void begin() throws IOException {
        request(position());
    }

    private void request(long offset) throws IOException {
        long next = blocks.isEmpty() ? offset : blocks.getLast().end();
        while (blocks.size() <= AHEAD && next < size()) {
            blocks.addLast(new Block(object, next, pool.lease(Math.min(blockBytes, size() - next))));
            next = blocks.getLast().end();
        }
    }

    /// The block that has a byte, read, at the head of the queue.
    private Block blockAt(long offset) throws IOException {
        while (!blocks.isEmpty()
                && (offset < blocks.getFirst().offset
                        || offset >= blocks.getFirst().end())) {
            blocks.removeFirst().discard();
        }
        request(offset);
        Block first = blocks.getFirst();
        try {
            first.reading.get();
            return first;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("reading " + object.location() + " was interrupted")
                    .initCause(interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException broken) {
                throw broken;
            }
            throw new IOException("cannot read " + object.location(), failed.getCause());
        }
    }

    @Override
    public void close() throws IOException {
        while (!blocks.isEmpty()) {
            blocks.removeFirst().discard();
        }
        super.close();
    }
}
