package org.jspdl.python;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.json.Json;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.python.wire.CommandReader;
import org.jspdl.python.wire.Failures;
import org.jspdl.python.wire.FrameWriter;

/// A trainer that shares the loader with others: does what it says until it says no more, and then takes back all that
/// it had. Used by one thread.
final class Trainer implements AutoCloseable {
    private final Settings settings;
    private final SharedLoading loading;
    private final CommandReader commands;
    private final FrameWriter frames;
    private final HeldItems held;
    private final int most;
    private final AtomicLong structures = new AtomicLong();
    private Member member;
    private Optional<Checkpoint> lastKnown = Optional.empty();
    private long restarts;
    private boolean wanted;
    private boolean keepsStates;

    /// @param slots of the ring
    /// @param most  of them that the trainer may have
    Trainer(Settings settings, SharedLoading loading, CommandReader commands, FrameWriter frames, int slots, int most) {
        this.settings = settings;
        this.loading = loading;
        this.commands = commands;
        this.frames = frames;
        this.held = new HeldItems(slots);
        this.most = most;
        this.member = newMember();
    }

    private Member newMember() {
        return new Member(restarts, frames, held, structures, settings.prefetch(), most / 2, wanted);
    }

    /// Serves the trainer until it says that it needs no more.
    ///
    /// @throws IOException if it is gone
    void serve() throws IOException {
        loading.begin(member, settings, settings.resumeFrom());
        CommandReader.Command command = commands.next();
        while (command.kind() != CommandReader.CLOSE) {
            obey(command);
            command = commands.next();
        }
    }

    private void obey(CommandReader.Command command) throws IOException {
        switch (command.kind()) {
            case CommandReader.WANTED -> {
                wanted = true;
                member.wanted();
            }
            case CommandReader.TAKEN -> {
                member.taken(command.number());
                if (!keepsStates) {
                    member.delivered(command.number());
                }
            }
            case CommandReader.KEEP -> keepsStates = true;
            case CommandReader.DELIVERED -> member.delivered(command.number());
            case CommandReader.RELEASE -> held.release(Math.toIntExact(command.number()));
            case CommandReader.EPOCH -> restartAt(command.number());
            case CommandReader.RESUME -> restart(command.text());
            case CommandReader.STATE -> frames.send(FrameWriter.ANSWER, 0, state(command.number()));
            case CommandReader.STATISTICS ->
                frames.send(
                        FrameWriter.ANSWER,
                        0,
                        member.group().map(group -> group.statistics(held)).orElse("{}"));
            default -> throw new IllegalArgumentException("there is no command " + command.kind());
        }
    }

    private void restartAt(long epoch) throws IOException {
        String from;
        try {
            noteWhereItStands();
            from = lastKnown
                    .orElseThrow(() -> new IllegalStateException("another epoch was asked for before loading began"))
                    .startOfEpoch(epoch)
                    .toJson();
        } catch (RuntimeException refused) {
            restarts++;
            frames.send(FrameWriter.FAILED, restarts, Failures.told("plan", String.valueOf(refused.getMessage())));
            return;
        }
        restart(from);
    }

    private void restart(String from) throws IOException {
        try {
            noteWhereItStands();
        } catch (RuntimeException unknown) {
            lastKnown = Optional.empty(); // it is the next restart that may want to know
        }
        restarts++;
        member.close();
        member = newMember();
        try {
            loading.begin(member, settings, from);
        } catch (RuntimeException refused) {
            frames.send(FrameWriter.FAILED, restarts, Failures.told("plan", String.valueOf(refused.getMessage())));
        }
    }

    private void noteWhereItStands() {
        Optional<Checkpoint> now = member.checkpoint();
        if (now.isPresent()) {
            lastKnown = now;
        }
    }

    private String state(long event) {
        try {
            return member.checkpoint(event).toJson();
        } catch (RuntimeException refused) {
            return Json.write(Map.of("error", Json.wellFormed(String.valueOf(refused.getMessage()))));
        }
    }

    /// The trainer sees nothing any more: everything that it had goes back.
    @Override
    public void close() {
        member.close();
        held.releaseAll();
    }
}
