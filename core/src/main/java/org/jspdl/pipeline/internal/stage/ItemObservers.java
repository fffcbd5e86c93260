package org.jspdl.pipeline.internal.stage;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.stats.ItemObserver;
import org.jspdl.stats.StageObserver;
import org.jspdl.stats.StageObserver.Outcome;
import org.jspecify.annotations.Nullable;

/// Numbers the items of a run and tells those observers that want to know which item it is.
public final class ItemObservers {
    private final ItemObserver[] observers;
    private final AtomicLong numbers = new AtomicLong();

    private ItemObservers(ItemObserver[] observers) {
        this.observers = observers;
    }

    /// Those of `observers` that tell items apart; null if there is none, so that the others cost nothing.
    public static @Nullable ItemObservers of(List<StageObserver> observers) {
        ItemObserver[] found = observers.stream()
                .filter(ItemObserver.class::isInstance)
                .map(ItemObserver.class::cast)
                .toArray(ItemObserver[]::new);
        return found.length == 0 ? null : new ItemObservers(found);
    }

    /// @param place its number in the order common to all ranks
    void admitted(String source, Lineage.Origin origin, long place, long start, long end) {
        origin.number = numbers.incrementAndGet();
        for (ItemObserver observer : observers) {
            observer.placed(source, origin.source, origin.number, origin.epoch, place);
            observer.admitted(source, origin.number, start, end);
        }
    }

    public void worked(String stage, Lineage item, long start, long end, Outcome outcome) {
        for (ItemObserver observer : observers) {
            observer.worked(stage, item.number(), start, end, outcome);
        }
    }

    /// Numbers a group that a stage has made; does nothing for any other item.
    void grouped(String stage, Lineage item) {
        Lineage whole = item instanceof Lineage.Part part ? part.split.parent : item;
        if (!(whole instanceof Lineage.Group group) || group.number != 0) {
            return;
        }
        group.number = numbers.incrementAndGet();
        long[] members = new long[group.members.length];
        for (int i = 0; i < members.length; i++) {
            members[i] = group.members[i].number();
        }
        long now = System.nanoTime();
        for (ItemObserver observer : observers) {
            observer.grouped(stage, group.number, members, now);
        }
    }

    public void delivered(Lineage item, long asked, long received) {
        for (ItemObserver observer : observers) {
            observer.delivered(item.number(), asked, received);
        }
    }
}
