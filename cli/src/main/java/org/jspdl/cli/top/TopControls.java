package org.jspdl.cli.top;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspdl.cli.top.TopScreen.Seen;
import org.jspdl.cli.top.TopScreen.Selection;
import org.jspdl.cli.top.TopScreen.Sort;
import org.jspdl.files.FreshFile;
import org.jspdl.observe.live.Live;
import org.jspdl.observe.live.LiveLook;
import org.jspdl.observe.live.LiveRuns;
import org.jspdl.pipeline.Tuning;

/// What keys do to the screen and to the runs on it. Used by one thread.
public final class TopControls {
    /// The keys, for the last line of the screen.
    private static final String KEYS = "s sort   w write report   q end";
    private static final String CONTROL_KEYS = "up/down select   +/- workers   " + KEYS;

    private final LiveRuns runs;
    private final Path folder;
    private Sort sort = Sort.PIPELINE;
    private Optional<Selection> selected = Optional.empty();
    private String message = "";

    /// @param folder where reports are written
    public TopControls(LiveRuns runs, Path folder) {
        this.runs = runs;
        this.folder = folder;
    }

    /// The screen as the keys have left it.
    public TopScreen screen(int columns, boolean unicode) {
        return new TopScreen(columns, sort, selected, unicode);
    }

    /// What happened at the last key, or which keys there are; and which processes do not answer.
    public String footer(List<Seen> seen) {
        String keys = !message.isEmpty() ? message : selectable(seen).findAny().isPresent() ? CONTROL_KEYS : KEYS;
        List<Long> silent = runs.silent();
        return silent.isEmpty()
                ? keys
                : "process " + silent.getFirst()
                        + (silent.size() == 1 ? "" : " and " + (silent.size() - 1) + " more")
                        + " does not answer: it was stopped, or has no processor.   " + keys;
    }

    private static Stream<Seen> selectable(List<Seen> seen) {
        return seen.stream().filter(run -> run.now().abilities().contains(Live.Ability.CONTROL));
    }

    /// Does what `key` says to what is `seen`. False if it ends the program.
    public boolean press(char key, List<Seen> seen) {
        message = "";
        try {
            switch (key) {
                case 'q' -> {
                    return false;
                }
                case 's' -> sort = sort.next();
                case 'j' -> select(seen, 1);
                case 'k' -> select(seen, -1);
                case '+', '=' -> change(seen, 1);
                case '-' -> change(seen, -1);
                case 'w' -> write(seen);
                default -> {}
            }
        } catch (IOException refused) {
            message = String.valueOf(refused.getMessage());
        }
        return true;
    }

    private void select(List<Seen> seen, int step) throws IOException {
        TopScreen screen = screen(Integer.MAX_VALUE, false);
        List<Selection> stages =
                selectable(seen).flatMap(run -> screen.order(run).stream()).toList();
        if (stages.isEmpty()) {
            throw new IOException(
                    "no run here can be changed: start it with 'jspdl run --control' or Live.controllable()");
        }
        int now = selected.map(stages::indexOf).orElse(-1);
        selected = Optional.of(
                stages.get(now < 0 ? step > 0 ? 0 : stages.size() - 1 : Math.clamp(now + step, 0, stages.size() - 1)));
    }

    private void change(List<Seen> seen, int step) throws IOException {
        if (selected.isEmpty()) {
            select(seen, 1);
        }
        Selection stage = selected.orElseThrow();
        // As it is now: a key may be pressed several times between two looks.
        LiveLook look = runs.look().stream()
                .filter(each -> each.run().equals(stage.run()))
                .findFirst()
                .orElseThrow(() -> new IOException("the run of stage '" + stage.stage() + "' has ended"));
        int workers = look.stages().stream()
                .filter(each -> each.name().equals(stage.stage()))
                .mapToInt(LiveLook.Stage::workers)
                .findFirst()
                .orElse(0);
        if (workers + step < 1) {
            throw new IOException("'" + stage.stage() + "' needs at least one worker");
        }
        message = "changed: " + runs.tune(look, Tuning.concurrency(stage.stage(), workers + step));
    }

    /// The report of the run that is selected, else of the first that has one.
    private void write(List<Seen> seen) throws IOException {
        LiveLook look = seen.stream()
                .map(Seen::now)
                .filter(each -> selected.isEmpty()
                        ? each.abilities().contains(Live.Ability.REPORT)
                        : each.run().equals(selected.get().run()))
                .findFirst()
                .orElseThrow(() -> new IOException("no run here has a report: 'jspdl run' has, and Live.report(...)"));
        Path file = folder.resolve("jspdl-" + look.pid() + "-" + Math.round(look.elapsed()) + "s.html");
        FreshFile.write(file, runs.report(look));
        message = "wrote " + file;
    }
}
