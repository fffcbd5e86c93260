package org.jspdl.python;

import java.io.FileOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspdl.json.Json;
import org.jspdl.python.wire.CommandReader;
import org.jspdl.python.wire.Failures;
import org.jspdl.python.wire.FrameWriter;

/// The process that several trainers share: `SharedProcess RING SLOTS SLOT-BYTES EACH SOCKET STARTED`. RING and STARTED
/// are numbers of open files that it inherits, EACH is how many slots a trainer may have, SOCKET is where trainers
/// attach; it lies in a folder that only their user may open.
///
/// What a trainer says first are its settings. The answer is a frame that says where the ring is, or why the trainer
/// cannot attach. From there on both speak as in [LoaderProcess]. The process ends with its last trainer.
public final class SharedProcess {
    private static final long FIRST_SECONDS = 60;
    private static final long GRACE_MILLIS = 10_000;
    private static final long BEFORE_ANOTHER_TRY = Duration.ofMillis(100).toNanos();

    private final Path address;
    private final ServerSocketChannel door;
    private final SharedSlots ring;
    private final String ringFile;
    private final int each;
    private final SharedLoading loading;
    private final Attached attached = new Attached();
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch last = new CountDownLatch(1);
    private int trainers;
    private boolean ending;

    private SharedProcess(Path address, ServerSocketChannel door, SharedSlots ring, String ringFile, int each) {
        this.address = address;
        this.door = door;
        this.ring = ring;
        this.ringFile = ringFile;
        this.each = each;
        this.loading = new SharedLoading(ring);
    }

    /// Loads until the last trainer is gone.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length != 6) {
            System.err.println("jspdl: this program is started by the Python package jspdl");
            Runtime.getRuntime().exit(2);
        }
        LastResort.install();
        SharedSlots ring = SharedSlots.map(
                Path.of("/proc/self/fd/" + Integer.parseInt(arguments[0])),
                Integer.parseInt(arguments[1]),
                Long.parseLong(arguments[2]));
        ring.giveBackUnneeded(); // trainers that share a loader pin nothing
        Path address = Path.of(arguments[4]);
        Files.deleteIfExists(address); // of a process that was killed: whoever starts this one has tried it
        try (ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                FileOutputStream started = new FileOutputStream("/proc/self/fd/" + Integer.parseInt(arguments[5]))) {
            door.bind(UnixDomainSocketAddress.of(address));
            SharedProcess process =
                    new SharedProcess(address, door, ring, arguments[0], Integer.parseInt(arguments[3]));
            started.write(1);
            process.run();
        }
        Runtime.getRuntime().exit(0);
    }

    private void run() throws InterruptedException {
        Thread.ofPlatform().name("jspdl-python-door").daemon().start(this::accept);
        if (!first.await(FIRST_SECONDS, TimeUnit.SECONDS) && endsWithout(0)) {
            return;
        }
        last.await();
    }

    /// Trainers for whom the process has no descriptor left wait until it has one: nobody else answers at this
    /// address.
    private void accept() {
        while (door.isOpen()) {
            try {
                SocketChannel channel = door.accept();
                Thread.ofPlatform().name("jspdl-python-trainer").daemon().start(() -> serve(channel));
            } catch (ClosedChannelException over) {
                return; // nobody can attach any more
            } catch (IOException full) {
                LockSupport.parkNanos(this, BEFORE_ANOTHER_TRY);
            }
        }
    }

    private void serve(SocketChannel channel) {
        if (!enters()) {
            close(channel); // whoever gets no answer starts a process of its own
            return;
        }
        try (channel) {
            CommandReader commands = new CommandReader(Channels.newInputStream(channel));
            FrameWriter frames = new FrameWriter(Channels.newOutputStream(channel));
            Map<String, String> said = Settings.values(commands.next().body());
            String refusal = trainersAre() > ring.slots() / each
                    ? "there are " + ring.slots() / each + " trainers already, as many as one loader serves: use"
                            + " another name in share="
                    : refusal(said);
            if (!refusal.isEmpty()) {
                frames.send(FrameWriter.FAILED, -1, Failures.told("plan", refusal));
                return;
            }
            try {
                frames.send(FrameWriter.ATTACHED, 0, Json.write(place()));
                serve(channel, Settings.of(said), commands, frames);
            } finally {
                attached.leaves(said);
            }
        } catch (IOException gone) {
            // its end is all that matters
        } catch (Throwable failure) { // want of memory, too: the trainer sees that its connection is closed
            report(failure);
        } finally {
            var _ = endsWithout(1);
        }
    }

    private void serve(SocketChannel channel, Settings settings, CommandReader commands, FrameWriter frames)
            throws IOException {
        // The connection lives on in what a trainer has forked, and must end with the trainer all the same.
        ProcessHandle.of(settings.parent()).ifPresent(process -> {
            var _ = process.onExit().thenRun(() -> close(channel));
        });
        try (Trainer trainer = new Trainer(settings, loading, commands, frames, ring.slots(), each)) {
            trainer.serve();
        }
    }

    private String refusal(Map<String, String> said) {
        long bytes = Long.parseLong(said.getOrDefault("slot_bytes", "0"));
        if (bytes > ring.slotBytes()) {
            return String.format(
                    java.util.Locale.ROOT,
                    "slot_bytes is %,d, but the loader's process was started with slots of %,d bytes: begin with the"
                            + " loader of the largest batches, or give all of them slot_bytes=%d",
                    bytes,
                    ring.slotBytes(),
                    bytes);
        }
        return attached.enters(said);
    }

    private Map<String, Object> place() {
        Map<String, Object> place = new HashMap<>();
        place.put("pid", ProcessHandle.current().pid());
        place.put("file", Long.parseLong(ringFile));
        place.put("slots", (long) ring.slots());
        place.put("slot_bytes", ring.slotBytes());
        place.put("each", (long) each);
        return place;
    }

    private synchronized int trainersAre() {
        return trainers;
    }

    private synchronized boolean enters() {
        if (ending) {
            return false;
        }
        trainers++;
        first.countDown();
        return true;
    }

    /// Counts those that have left; with the last one nobody can attach any more, and the process ends.
    private synchronized boolean endsWithout(int left) {
        trainers -= left;
        if (trainers > 0 || ending) {
            return false;
        }
        ending = true;
        try {
            // In this order: who finds the address free, or closed, binds it anew.
            Files.deleteIfExists(address);
            Files.deleteIfExists(Path.of(address + ".log"));
            door.close();
        } catch (IOException failure) {
            report(failure);
        }
        Thread.ofPlatform().name("jspdl-python-end").daemon().start(SharedProcess::haltAfterGrace);
        last.countDown();
        return true;
    }

    private static void haltAfterGrace() {
        try {
            Thread.sleep(GRACE_MILLIS);
            Runtime.getRuntime().halt(1);
        } catch (InterruptedException never) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException failure) {
            report(failure);
        }
    }

    private static void report(Throwable failure) {
        failure.printStackTrace();
    }
}
