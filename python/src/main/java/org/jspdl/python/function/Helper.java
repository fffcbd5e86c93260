package org.jspdl.python.function;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import org.jspdl.json.Json;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Closeables;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.function.SampleFunctions;
import org.jspdl.python.item.ItemContent;
import org.jspecify.annotations.Nullable;

/// One helper process: a fresh interpreter that has the function, and does one sample at a time.
///
/// Used by one thread at a time. It ends when this process does, whatever happens.
final class Helper implements AutoCloseable {
    private static final int CALL_FIELDS = 8 + 8 + 8 + 8 + 4 + 4;
    private static final int KILLED = 128;
    private static final long PATIENCE_SECONDS = 5;
    private static final Map<Integer, String> SIGNALS = Map.of(
            4, "SIGILL",
            6, "SIGABRT",
            7, "SIGBUS",
            8, "SIGFPE",
            9, "SIGKILL; if nobody did that, the system was short of memory (dmesg says so)",
            11, "SIGSEGV",
            15, "SIGTERM");

    private final FunctionSpec spec;
    private final FunctionMemory memory;
    private final BufferPool pool;
    private final Process process;
    private final HelperFrames frames;
    private boolean ready;
    private boolean stays; // though it was killed
    private long calls;
    private long expected = 1;

    private Helper(FunctionSpec spec, FunctionMemory memory, BufferPool pool, Process process) {
        this.spec = spec;
        this.memory = memory;
        this.pool = pool;
        this.process = process;
        this.frames = new HelperFrames(
                process.getOutputStream(), new DataInputStream(new BufferedInputStream(process.getInputStream())));
    }

    /// Starts one; it loads the function meanwhile.
    ///
    /// @throws IOException if it cannot be started
    static Helper start(FunctionSpec spec, FunctionMemory memory, BufferPool pool) throws IOException {
        List<String> command = new ArrayList<>(spec.command());
        int arguments = command.indexOf("");
        command.set(arguments, memory.file());
        command.add(arguments + 1, Long.toString(FunctionMemory.BYTES));
        command.add(arguments + 2, Long.toString(ProcessHandle.current().pid()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        spec.unset().forEach(builder.environment()::remove);
        Helper helper = new Helper(spec, memory, pool, builder.start());
        try {
            helper.frames.send(HelperFrames.WORK, ByteBuffer.wrap(spec.work()));
        } catch (IOException gone) {
            // the first call says how it ended
        }
        return helper;
    }

    /// Whether it has come so far that it has the function.
    boolean isReady() {
        return ready;
    }

    /// What the function makes of a sample.
    ///
    /// @throws FunctionException if it fails; the helper can be used on
    /// @throws HelperGoneException if the helper is gone, or must be closed since it says what cannot be
    SampleFunctions.Made call(String sample, SequencedMap<String, ?> fields, long seed)
            throws FunctionException, HelperGoneException {
        List<AutoCloseable> leases = new ArrayList<>();
        List<ResultReader.Range> shown = new ArrayList<>();
        boolean made = false;
        try {
            awaitReady(sample);
            ItemContent content = ItemContent.of(fields);
            ByteBuffer places = place(content, leases, shown);
            Lease results = lease(expected, leases, shown);
            byte[] structure = content.structure().getBytes(StandardCharsets.UTF_8);
            ByteBuffer call = HelperFrames.little(CALL_FIELDS)
                    .putLong(++calls)
                    .putLong(seed)
                    .putLong(memory.offsetOf(results.segment()))
                    .putLong(results.byteSize())
                    .putInt(structure.length)
                    .putInt(content.pieces().size())
                    .flip();
            frames.send(
                    HelperFrames.CALL,
                    call,
                    ByteBuffer.wrap(structure),
                    places,
                    ByteBuffer.wrap(content.values().getBytes(StandardCharsets.UTF_8)));
            SequencedMap<String, Object> result = answer(sample, leases, shown);
            made = true;
            return new SampleFunctions.Made(result, () -> Closeables.closeAll(leases), isApart(result, content));
        } catch (IOException | BufferUnderflowException gone) {
            throw new HelperGoneException(spec.key(), sample, how(gone));
        } catch (RuntimeException | Error unexpected) { // it may be in the middle of anything
            kill();
            throw unexpected;
        } finally {
            if (!made && !stays) {
                Closeables.closeAll(leases);
            }
        }
    }

    /// Whether no array of the result lies in the memory of the sample.
    private boolean isApart(SequencedMap<String, Object> result, ItemContent sample) {
        List<ResultReader.Range> given = new ArrayList<>();
        for (ItemContent.Piece piece : sample.pieces()) {
            long offset = memory.offsetOf(piece.bytes());
            if (offset >= 0) {
                given.add(new ResultReader.Range(offset, piece.bytes().byteSize()));
            }
        }
        return result.values().stream()
                .noneMatch(value -> value instanceof Tensor tensor
                        && tensor.segment().isNative()
                        && given.stream().anyMatch(range -> range.holds(memory.offsetOf(tensor.segment()), 1)));
    }

    private void awaitReady(String sample) throws IOException, FunctionException, HelperGoneException {
        if (ready) {
            return;
        }
        HelperFrames.Answer answer = frames.next();
        if (answer.kind() == HelperFrames.BROKEN) {
            throw HelperGoneException.broken(spec.key(), sample, text(answer.body()));
        }
        ready = true;
    }

    /// Where the arrays lie: those that helpers do not see are copied.
    private ByteBuffer place(ItemContent content, List<AutoCloseable> leases, List<ResultReader.Range> shown) {
        ByteBuffer places = HelperFrames.little(8 * content.pieces().size());
        for (ItemContent.Piece piece : content.pieces()) {
            MemorySegment bytes = piece.bytes();
            long offset = bytes.byteSize() == 0 ? -1 : memory.offsetOf(bytes);
            if (offset >= 0) {
                shown.add(new ResultReader.Range(offset, bytes.byteSize()));
            } else if (bytes.byteSize() > 0) {
                Lease copy = lease(bytes.byteSize(), leases, shown);
                copy.segment().copyFrom(bytes);
                offset = memory.offsetOf(copy.segment());
            }
            places.putLong(offset);
        }
        return places.flip();
    }

    private Lease lease(long bytes, List<AutoCloseable> leases, List<ResultReader.Range> shown) {
        Lease lease = pool.lease(bytes);
        leases.add(lease);
        shown.add(new ResultReader.Range(memory.offsetOf(lease.segment()), bytes));
        return lease;
    }

    private SequencedMap<String, Object> answer(
            String sample, List<AutoCloseable> leases, List<ResultReader.Range> shown)
            throws IOException, FunctionException, HelperGoneException {
        HelperFrames.Answer answer = ofThisCall(frames.next());
        if (answer.kind() == HelperFrames.NEED) {
            long bytes = answer.body().getLong();
            if (bytes < 1 || bytes > FunctionMemory.BYTES) {
                throw new IOException("its results are " + bytes + " bytes, more than there is room for");
            }
            Lease granted = lease(bytes, leases, shown);
            frames.send(
                    HelperFrames.GRANT,
                    HelperFrames.little(8)
                            .putLong(memory.offsetOf(granted.segment()))
                            .flip());
            answer = ofThisCall(frames.next());
        }
        return switch (answer.kind()) {
            case HelperFrames.RESULT -> {
                expect(answer.body().getLong());
                yield new ResultReader(memory, shown).read(text(answer.body()));
            }
            case HelperFrames.FAILURE -> throw failure(sample, text(answer.body()));
            case HelperFrames.KEPT -> {
                kill();
                throw HelperGoneException.kept(failure(sample, text(answer.body())));
            }
            default -> throw new IOException("a helper process said " + answer.kind());
        };
    }

    /// Those of the next sample may need as much. Results that were large once need not stay so: each sample under
    /// way has its place.
    private void expect(long bytes) throws IOException {
        if (bytes < 0 || bytes > FunctionMemory.BYTES) {
            throw new IOException("a helper process wrote that its results are " + bytes + " bytes");
        }
        expected = Math.max(1, Math.max(bytes, expected / 2));
    }

    /// An answer begins with the number of its call: what a function has left behind, such as a fork of the helper,
    /// may have answered as well.
    private HelperFrames.Answer ofThisCall(HelperFrames.Answer answer) throws IOException {
        long call = answer.body().getLong();
        if (call != calls) {
            throw new IOException("a helper process answered call " + call + " in place of " + calls
                    + ": does the function fork its process, or write to its pipes?");
        }
        return answer;
    }

    private FunctionException failure(String sample, String json) throws IOException {
        if (Json.parse(json) instanceof Map<?, ?> said && said.get("message") instanceof String message) {
            Object raised = said.get("raised");
            return new FunctionException(spec.key(), sample, message, raised instanceof String text ? text : null);
        }
        throw new IOException("a helper process wrote what is no failure: " + json);
    }

    /// What became of it, in words; it is no longer used.
    private String how(Exception gone) {
        if (!(gone instanceof java.io.EOFException) && process.isAlive()) {
            kill();
            return gone.getMessage() == null ? gone.toString() : gone.getMessage();
        }
        @Nullable Integer code = null;
        try {
            code = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : null;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        String who = "its helper process " + process.pid();
        if (code == null) {
            kill();
            return who + " closed its pipe";
        }
        return code > KILLED
                ? who + " was killed by " + SIGNALS.getOrDefault(code - KILLED, "signal " + (code - KILLED))
                : who + " ended with exit code " + code;
    }

    /// Ends it at once, and waits until it is gone: until then it may write where other samples will lie. The
    /// memory that it was shown is nobody's any more if the system does not end it.
    private void kill() {
        process.destroyForcibly();
        Process _ = process.onExit()
                .completeOnTimeout(process, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
        stays = process.isAlive();
    }

    /// Ends it at once, whatever it is at; by any thread. Whoever is at a call learns that it is gone.
    void destroy() {
        process.destroyForcibly();
    }

    private static String text(ByteBuffer body) {
        return StandardCharsets.UTF_8.decode(body).toString();
    }

    /// Ends the helper when it has done what it is at.
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException gone) {
            // so is the helper
        }
    }
}
