package org.jspdl.python;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspdl.files.InputFile;
import org.jspdl.json.JsonWriter;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.python.wire.Failures;

/// Which trainers see the same batches: those that ask for the same plan, seed, part and place to begin at, as long as
/// the first batches are still at hand; all others load by themselves, over the same memory. Thread-safe.
final class SharedLoading implements Group.Elsewhere {
    /// Far more than a plan may have, which says so itself.
    private static final int MOST_PLAN = 64 << 20;
    private final SharedSlots ring;
    private final Map<String, Group> groups = new HashMap<>();

    SharedLoading(SharedSlots ring) {
        this.ring = ring;
    }

    /// Has `member` begin.
    ///
    /// @param from the checkpoint to go on from, or those of all ranks, one a line; empty for the beginning
    void begin(Member member, Settings settings, String from) throws IOException {
        begin(member, settings, from, key(settings, from));
    }

    private void begin(Member member, Settings settings, String from, String key) {
        Group made;
        synchronized (this) {
            Group there = groups.get(key);
            if (there != null && there.join(member)) {
                return;
            }
            made = new Group(key, settings, ring, from, this);
            var _ = made.join(member);
            groups.put(key, made);
        }
        made.start();
    }

    @Override
    public void goOn(Member member) {
        Group left = member.group().orElseThrow();
        member.dropUnsent();
        try {
            String from = member.checkpoint().map(Checkpoint::toJson).orElse(left.from());
            begin(member, left.settings(), from, key(left.key(), from));
        } catch (RuntimeException refused) {
            var _ = member.offer(new Delivery.Failed(Failures.told("run", String.valueOf(refused.getMessage()))));
        }
        leaveIfClosed(member);
    }

    @Override
    public void beginApart(Member member) {
        Group left = member.group().orElseThrow();
        member.dropUnsent();
        Group made = new Group(left.key(), left.settings(), ring, left.from(), this);
        var _ = made.join(member);
        made.keepToItself();
        made.start();
        leaveIfClosed(member);
    }

    /// A member that was closed while it moved has left the old group only.
    private static void leaveIfClosed(Member member) {
        if (member.isClosed()) {
            member.group().ifPresent(group -> group.leave(member));
        }
    }

    @Override
    public synchronized void closed(Group group) {
        var _ = groups.remove(group.key(), group);
    }

    /// Equal for those who get equal batches.
    private static String key(Settings settings, String from) throws IOException {
        String plan = settings.plan().isPresent()
                ? settings.plan().get()
                : InputFile.text(settings.folder().resolve(settings.name()), MOST_PLAN);
        String what = JsonWriter.compact()
                .beginObject()
                .put("name", settings.name())
                .put("plan", plan)
                .put("folder", settings.folder().toString())
                .put("epochs", settings.epochs().isPresent() ? settings.epochs().getAsLong() : null)
                .put("seed", settings.seed().isPresent() ? settings.seed().getAsLong() : null)
                .put("rank", settings.rank())
                .put("world-size", settings.worldSize())
                .endObject()
                .document();
        return key(what, from);
    }

    /// @param what what is loaded, or the key of a group that loads it from another place
    private static String key(String what, String from) {
        int end = what.indexOf('\n');
        return (end < 0 ? what : what.substring(0, end)) + "\n" + from;
    }
}
