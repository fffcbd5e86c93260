package org.jspdl.pipeline.internal;

import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// An item on its way through a run, or a mark between items.
///
/// One envelope carries an item from the source to the consumer; stages replace its value. It is owned by whoever holds
/// it: a link, or the one thread that took it from a link.
///
/// Marks have neither value nor lineage, and who handed an item on has none either; to all others, who have looked at
/// the kind, they are there. No type says that.
@NullUnmarked
final class Envelope {
    /// What an envelope carries.
    enum Kind {
        /// A value.
        ITEM,
        /// The end of an epoch: every item before it belongs to the epoch, none after it.
        EPOCH_END,
        /// The end of all items.
        END
    }

    final Kind kind;
    final long epoch;
    final Lineage lineage;
    /// The item; null in marks, and after the item was handed on.
    Object value;
    /// The place among the items taken from the link it came from last; stamped by that link.
    long sequence;
    /// What the item weighs in the run's byte budget.
    long bytes;

    private Envelope(Kind kind, long epoch, @Nullable Lineage lineage, @Nullable Object value) {
        this.kind = kind;
        this.epoch = epoch;
        this.lineage = lineage;
        this.value = value;
    }

    static Envelope item(Object value, long epoch, Lineage lineage) {
        return new Envelope(Kind.ITEM, epoch, lineage, value);
    }

    static Envelope epochEnd(long epoch) {
        return new Envelope(Kind.EPOCH_END, epoch, null, null);
    }

    static Envelope end() {
        return new Envelope(Kind.END, -1, null, null);
    }

    boolean isMark() {
        return kind != Kind.ITEM;
    }
}
