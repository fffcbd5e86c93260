package org.jspdl.observe.live;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspdl.observe.process.BriefReader;
import org.jspdl.pipeline.RunHandle;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.stats.PipelineStats;

/// Lets a run be looked at from outside while it goes on, and changed if it was started so. Immutable.
///
/// After its first second the run listens on a Unix socket in a folder that only this user can open. Who connects gets
/// one JSON document, a [LiveLook], and is disconnected; nothing is read from that socket, so nothing can be changed by
/// it. A run that may be [changed][#controllable()] has another socket for that, and one with a [report][#report] a
/// third. A look costs about a quarter of a millisecond of CPU time. Where no socket can be made, the run goes on
/// without.
///
/// ```java
/// try (Run<Batch> run = loading.start(Live.on(RunOptions.defaults()))) { ... }
/// ```
///
/// `-Djspdl.live=false` leaves the options of all runs as they are; with `-Djspdl.live=control` all can be changed.
public final class Live {
    private static final long BEFORE = Duration.ofSeconds(1).toNanos();

    /// What a run offers beside looks at it.
    public enum Ability {
        /// Its stages can be changed.
        CONTROL,
        /// It writes a report.
        REPORT
    }

    private final Optional<Path> folder;
    private final long before;
    private final Set<Ability> abilities;
    private final Supplier<String> page;

    private Live(Optional<Path> folder, long before, Set<Ability> abilities, Supplier<String> page) {
        this.folder = folder;
        this.before = before;
        this.abilities = abilities;
        this.page = page;
    }

    /// Runs that can be looked at and not changed.
    public static Live readOnly() {
        return new Live(Optional.empty(), BEFORE, EnumSet.noneOf(Ability.class), () -> "");
    }

    /// Runs whose stages this user can change from outside, too.
    public static Live controllable() {
        return readOnly().with(Ability.CONTROL, () -> "");
    }

    /// `options` of a run that can be looked at.
    public static RunOptions on(RunOptions options) {
        return readOnly().listening(options);
    }

    /// The same with a page that tells all of the run so far, for whoever looks at it.
    ///
    /// @param html makes it; called by a thread of the run
    public Live report(Supplier<String> html) {
        return with(Ability.REPORT, html);
    }

    /// The same in `other` folder than that of this user, and without the wait before.
    Live in(Path other) {
        return new Live(Optional.of(other), 0, abilities, page);
    }

    private Live with(Ability ability, Supplier<String> html) {
        Set<Ability> more = EnumSet.copyOf(abilities);
        more.add(ability);
        return new Live(folder, before, more, html);
    }

    /// `options` of a run that is as this says.
    public RunOptions listening(RunOptions options) {
        return switch (System.getProperty("jspdl.live", "true")) {
            case "false" -> options;
            case "control" -> options.background("live", with(Ability.CONTROL, page)::listen);
            default -> options.background("live", this::listen);
        };
    }

    private void listen(RunHandle run) {
        long begun = System.nanoTime();
        for (long left = before; left > 0; left = before - (System.nanoTime() - begun)) {
            LockSupport.parkNanos(this, left);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
        Deque<LiveSocket> sockets = new ArrayDeque<>();
        try {
            Optional<Path> place = folder.isPresent() ? folder : LiveRuns.folder();
            if (place.isPresent()) {
                String name = ProcessHandle.current().pid() + "-"
                        + Integer.toUnsignedString(System.identityHashCode(run) ^ (int) begun, 36);
                open(place.get(), name, run, sockets);
                while (!Thread.currentThread().isInterrupted()) {
                    LockSupport.park(this);
                }
            }
        } catch (IOException | RuntimeException without) {
            if (!Thread.currentThread().isInterrupted()) {
                System.getLogger(Live.class.getName())
                        .log(Level.DEBUG, "the run can't be looked at from outside", without);
            }
        } finally {
            sockets.forEach(LiveSocket::close);
        }
    }

    /// That for looks comes last: when it is there, so are the others.
    private void open(Path place, String name, RunHandle run, Deque<LiveSocket> sockets) throws IOException {
        if (abilities.contains(Ability.CONTROL)) {
            sockets.push(LiveSocket.reading(LiveSocket.CONTROL.in(place, name), words -> LiveControl.obey(run, words)));
        }
        if (abilities.contains(Ability.REPORT)) {
            sockets.push(LiveSocket.writing(LiveSocket.REPORT.in(place, name), page));
        }
        BriefReader process = BriefReader.ofThisProcess();
        DecisionTexts decisions = new DecisionTexts();
        sockets.push(LiveSocket.writing(LiveSocket.LOOK.in(place, name), () -> {
            PipelineStats stats = run.get();
            return LiveLook.of(name, abilities, stats, decisions.of(stats.tuning()), process.read())
                    .toJson();
        }));
    }
}
