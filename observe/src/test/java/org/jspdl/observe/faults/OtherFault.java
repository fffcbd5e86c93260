package org.jspdl.observe.faults;

import org.jspdl.observe.diagnosis.Limit;

/// What is wrong with an [OtherCase], and what should be said of it. None of these was used to set a threshold.
enum OtherFault {
    /// Many workers that wait, and too few of them.
    CROWD(Limit.STAGE, true),
    /// A stage behind large batches, one at a time.
    BEHIND_BATCHES(Limit.STAGE, true),
    /// A stage that computes on all compute threads.
    SATURATED(Limit.CPU, true),
    /// A source that fetches its list page by page.
    PAGED_SOURCE(Limit.SOURCE, false),
    /// Files on a folder of the network, which share the calls with work of other kinds.
    SHARED_FOLDER(Limit.STORAGE, true),
    /// A crowd of requests to a store far away.
    FAR_STORE(Limit.STORE, true),
    /// One call of many hangs for as long as all the others take.
    RARE_HANGS(Limit.STRAGGLERS, true),
    /// A trainer whose steps differ, since it evaluates every now and then.
    UNEVEN_TRAINER(Limit.CONSUMER, false),
    /// The host of the virtual machine gives the processors to others.
    STOLEN_PROCESSORS(Limit.OTHER_PROCESSES, false),
    /// Pauses for collections, of which there are many.
    MANY_PAUSES(Limit.GC, false),
    /// Stages that are equally fast on average and differ from call to call.
    EVEN_STAGES(Limit.BUFFERS, false),
    /// A byte budget for about one batch.
    TIGHT_BUDGET(Limit.MEMORY, false);

    private final Limit limit;
    private final boolean hasStage;

    OtherFault(Limit limit, boolean hasStage) {
        this.limit = limit;
        this.hasStage = hasStage;
    }

    /// What the first finding should name.
    Limit limit() {
        return limit;
    }

    /// Whether the finding should also name the stage.
    boolean hasStage() {
        return hasStage;
    }
}
