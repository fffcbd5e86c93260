package org.jspdl.observe.faults;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/// A named pipe that yields at most n bytes per second. To a reader it is a file on a slow disk.
final class SlowDisk implements Closeable {
    private static final long TURN_NANOS = 500_000;

    private final Path file;
    private final InputStream in;
    private final OutputStream out;
    private final Thread writer;

    private SlowDisk(Path file, InputStream in, OutputStream out, double bytesPerSecond) {
        this.file = file;
        this.in = in;
        this.out = out;
        this.writer = Thread.ofPlatform().name("slow-disk").daemon().start(() -> write(bytesPerSecond));
    }

    static SlowDisk open(Path folder, double bytesPerSecond) throws IOException, InterruptedException {
        Path file = folder.resolve("disk-" + System.nanoTime());
        if (new ProcessBuilder("mkfifo", file.toString()).start().waitFor() != 0) {
            throw new IOException("mkfifo failed");
        }
        // Opening one end waits for the other, except for both at once.
        var both = new java.io.RandomAccessFile(file.toFile(), "rw");
        InputStream in = new FileInputStream(file.toFile());
        OutputStream out = new FileOutputStream(file.toFile());
        both.close();
        return new SlowDisk(file, in, out, bytesPerSecond);
    }

    private void write(double bytesPerSecond) {
        byte[] block = new byte[(int) (bytesPerSecond * TURN_NANOS / 1e9) + 1];
        long next = System.nanoTime();
        try {
            while (!Thread.interrupted()) {
                out.write(block);
                next = Math.max(
                        next + (long) (block.length * 1e9 / bytesPerSecond), System.nanoTime() - 4 * TURN_NANOS);
                LockSupport.parkNanos(next - System.nanoTime());
            }
        } catch (IOException closed) {
            // the reading end was closed
        }
    }

    /// Reads exactly `bytes` bytes.
    void read(int bytes) throws IOException {
        if (in.readNBytes(bytes).length < bytes) {
            throw new IOException("the disk was closed");
        }
    }

    @Override
    public void close() throws IOException {
        writer.interrupt();
        in.close();
        out.close();
        // The writer ends by itself, now that both ends are closed.
        Files.deleteIfExists(file);
    }
}
