package org.jspdl.python;

import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.json.Json;
import org.jspdl.plan.Operations;
import org.jspdl.python.function.PythonFunctions;
import org.jspdl.python.wire.CommandReader;
import org.jspdl.python.wire.Failures;
import org.jspdl.python.wire.FrameWriter;

/// The process that the Python package starts: `LoaderProcess RING SLOTS SLOT-BYTES FRAMES`, the first and the last
/// being numbers of open files that it inherits. Commands come through its standard input, a socket.
/// `LoaderProcess versions` says what it runs on, as JSON.
///
/// It lives as long as the trainer: it ends when told to, when there are no more commands, or when the process that
/// started it is gone, whichever comes first. Nothing of it has a name in a file system.
public final class LoaderProcess {
    private static final long GRACE_MILLIS = 10_000;

    private final Settings settings;
    private final SharedSlots ring;
    private final HeldItems held;
    private final FrameWriter frames;
    private final CommandReader commands;
    private final Statistics statistics = new Statistics();
    private final HandoverControl control = new HandoverControl(Thread.currentThread());
    private final PythonFunctions functions = new PythonFunctions();
    private final Handover handOver;
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);
    private boolean keepsStates; // of the thread that obeys

    private LoaderProcess(Settings settings, SharedSlots ring, FrameWriter frames, CommandReader commands) {
        this.settings = settings;
        this.ring = ring;
        this.held = new HeldItems(ring.slots());
        this.frames = frames;
        this.commands = commands;
        this.handOver = new Handover(settings, ring, held, frames, control, functions, statistics::add);
    }

    /// Loads until the trainer is gone.
    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 1 && arguments[0].equals("versions")) {
            System.out.println(Json.write(versions()));
            return;
        }
        if (arguments.length != 4) {
            System.err.println("jspdl: this program is started by the Python package jspdl");
            Runtime.getRuntime().exit(2);
        }
        LastResort.install();
        CommandReader commands = new CommandReader(new FileInputStream(FileDescriptor.in));
        FrameWriter frames = new FrameWriter(new FileOutputStream(inherited(arguments[3])));
        SharedSlots ring = SharedSlots.map(
                Path.of(inherited(arguments[0])), Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
        int code = 1;
        try {
            code = new LoaderProcess(Settings.read(commands.next().body()), ring, frames, commands).run();
        } catch (EOFException gone) {
            code = 0; // the trainer went before it said what it wanted
        } catch (Throwable failure) {
            failure.printStackTrace();
            frames.send(FrameWriter.FAILED, -1, Failures.told("loader", failure.toString()));
        }
        Runtime.getRuntime().exit(code);
    }

    /// What the loader runs on, for `python -m jspdl doctor`.
    private static Map<String, Object> versions() {
        Runtime runtime = Runtime.getRuntime();
        return Map.of(
                "java", String.valueOf(Runtime.version()),
                "processors", runtime.availableProcessors(),
                "heap", runtime.maxMemory(),
                "parts", Operations.installed().versions());
    }

    private static String inherited(String number) {
        return "/proc/self/fd/" + Integer.parseInt(number);
    }

    private int run() throws InterruptedException {
        Thread.ofPlatform().name("jspdl-python-commands").daemon().start(this::obey);
        Thread.ofPlatform().name("jspdl-python-trainer").daemon().start(this::watch);
        try {
            handOver.run();
        } catch (IOException gone) {
            awaitEnd(); // the connection of commands tells why
        }
        done.countDown();
        return 0;
    }

    /// Waits for the trainer's end, which these don't tell while a process that it forked has them open.
    private void watch() {
        Optional<ProcessHandle> trainer =
                ProcessHandle.current().parent().filter(parent -> parent.pid() == settings.parent());
        trainer.ifPresent(process -> process.onExit().join());
        end("has ended");
    }

    private void awaitEnd() throws InterruptedException {
        HandoverControl.Next next = control.await();
        while (!(next instanceof HandoverControl.Next.End)) {
            next = control.await();
        }
    }

    /// Does what the trainer says until it says no more.
    private void obey() {
        try {
            for (CommandReader.Command command = commands.next();
                    command.kind() != CommandReader.CLOSE;
                    command = commands.next()) {
                obey(command);
            }
            end("");
        } catch (IOException gone) {
            end("is gone");
        } catch (Throwable failure) { // want of memory, too: a loader that does not listen would be waited for
            failure.printStackTrace();
            end("said what cannot be done: " + failure);
        }
    }

    private void obey(CommandReader.Command command) throws IOException {
        switch (command.kind()) {
            case CommandReader.WANTED -> handOver.wanted();
            case CommandReader.TAKEN -> handOver.current().ifPresent(generation -> taken(generation, command.number()));
            case CommandReader.KEEP -> keepsStates = true;
            case CommandReader.DELIVERED ->
                handOver.current().ifPresent(generation -> generation.delivered(command.number()));
            case CommandReader.UNPINNED -> ring.giveBackUnneeded();
            case CommandReader.RELEASE -> held.release(Math.toIntExact(command.number()));
            case CommandReader.EPOCH -> control.to(new HandoverControl.Next.Epoch(command.number()));
            case CommandReader.RESUME -> control.to(new HandoverControl.Next.At(command.text()));
            case CommandReader.PLAN -> plan(Settings.read(command.body()));
            case CommandReader.STATE -> frames.send(FrameWriter.ANSWER, 0, state(command.number()));
            case CommandReader.STATISTICS ->
                frames.send(
                        FrameWriter.ANSWER,
                        0,
                        handOver.current()
                                .map(generation -> statistics.json(generation, handOver.placement(), ring, held, 1))
                                .orElse("{}"));
            default -> throw new IllegalArgumentException("there is no command " + command.kind());
        }
    }

    private void plan(Settings others) throws IOException {
        try {
            functions.add(others.functions());
            handOver.change(others);
            control.to(new HandoverControl.Next.At(others.resumeFrom()));
        } catch (IOException | RuntimeException refused) {
            frames.send(FrameWriter.FAILED, -1, Failures.told("run", refused));
        }
    }

    private void taken(Generation generation, long event) {
        generation.taken(event);
        if (!keepsStates) {
            generation.delivered(event);
        }
    }

    private String state(long event) {
        try {
            return handOver.current().orElseThrow().checkpoint(event).toJson();
        } catch (RuntimeException refused) {
            return Json.write(Map.of("error", Json.wellFormed(String.valueOf(refused.getMessage()))));
        }
    }

    /// Ends the process, in order if that takes no longer than the grace period.
    ///
    /// @param what what the trainer did; empty if it said that it needs no more
    private void end(String what) {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        if (!what.isEmpty()) {
            System.err.println("jspdl: the trainer, process " + settings.parent() + ", " + what
                    + "; its loader, process " + ProcessHandle.current().pid() + ", ends");
        }
        Thread.ofPlatform().name("jspdl-python-end").daemon().start(this::haltUnlessDone);
        control.to(new HandoverControl.Next.End());
        if (!what.isEmpty()) {
            functions.kill(); // the run would wait for what they are at
        }
    }

    private void haltUnlessDone() {
        try {
            if (!done.await(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
                Runtime.getRuntime().halt(1);
            }
        } catch (InterruptedException never) {
            Thread.currentThread().interrupt();
        }
    }
}
