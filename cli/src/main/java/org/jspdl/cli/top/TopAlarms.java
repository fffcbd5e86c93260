package org.jspdl.cli.top;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspdl.cli.top.TopScreen.Seen;
import org.jspdl.observe.alarm.WaitRise;
import org.jspdl.observe.live.LiveLook;

/// Looks at runs one after the other and says of each whether its consumer has begun to wait for data for more of its
/// time than it did since the first look. Used by one thread.
public final class TopAlarms {
    private static final double NANOS = 1e9;

    private final Map<String, LiveLook> last = new HashMap<>();
    private final Map<String, WaitRise> waits = new HashMap<>();

    /// Runs as they are now, with what is wrong with them. Runs that are gone are forgotten.
    public List<Seen> see(List<LiveLook> looks) {
        List<Seen> seen = looks.stream().map(this::see).toList();
        List<String> there = looks.stream().map(LiveLook::run).toList();
        waits.keySet().retainAll(there);
        last.clear();
        looks.forEach(look -> last.put(look.run(), look));
        return seen;
    }

    private Seen see(LiveLook now) {
        Optional<LiveLook> before =
                Optional.ofNullable(last.get(now.run())).filter(earlier -> earlier.elapsed() < now.elapsed());
        if (before.isEmpty()) {
            waits.put(now.run(), new WaitRise());
            return new Seen(now, before);
        }
        WaitRise wait = waits.computeIfAbsent(now.run(), run -> new WaitRise());
        wait.add(
                Math.round(NANOS * (now.elapsed() - before.get().elapsed())),
                Math.round(NANOS * (now.starved() - before.get().starved())));
        return new Seen(now, before, wait.hasRisen() ? alarm(wait) : "");
    }

    private static String alarm(WaitRise wait) {
        return String.format(
                Locale.ROOT,
                "starved for %.1f %% of the last 10 s, %.1f %% before",
                100 * wait.part(),
                100 * wait.before());
    }
}
