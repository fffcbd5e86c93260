package org.jspdl.pipeline.internal.run;

import java.util.List;
import org.jspdl.stats.StageObserver;

/// Several observers as one. When starting an item fails in one of them, those before it are told of the item's end
/// like the others.
final class Observers implements StageObserver {
    private final StageObserver[] observers;

    private Observers(List<StageObserver> observers) {
        this.observers = observers.toArray(StageObserver[]::new);
    }

    static StageObserver of(List<StageObserver> observers) {
        return switch (observers.size()) {
            case 0 -> StageObserver.disabled();
            case 1 -> observers.getFirst();
            default -> new Observers(observers);
        };
    }

    @Override
    public void stageStarted(String stage) {
        for (StageObserver observer : observers) {
            observer.stageStarted(stage);
        }
    }

    @Override
    public void itemStarted(String stage, Object item) {
        for (StageObserver observer : observers) {
            observer.itemStarted(stage, item);
        }
    }

    @Override
    public void itemEnded(String stage, long nanos, Outcome outcome) {
        for (StageObserver observer : observers) {
            observer.itemEnded(stage, nanos, outcome);
        }
    }

    @Override
    public void stageEnded(String stage) {
        for (StageObserver observer : observers) {
            observer.stageEnded(stage);
        }
    }
}
