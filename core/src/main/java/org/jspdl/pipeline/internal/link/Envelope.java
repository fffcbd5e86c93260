package org.jspdl.pipeline.internal.link;

import org.jspdl.pipeline.internal.lineage.Lineage;
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
public final class Envelope {
    /// What an envelope carries.
    public enum Kind {
        /// A value.
        ITEM,
        /// The end of an epoch: every item before it belongs to the epoch, none after it.
        EPOCH_END,
        /// The end of all items.
        END
    }

    public final Kind kind;
    public final long epoch;
    public final Lineage lineage;
    /// The item; null in marks, and after the item was handed on.
    public Object value;
    /// The place among the items taken from the link it came from last; stamped by that link.
    public long sequence;
    /// What the item weighs in the run's byte budget.
    public long bytes;

    private Envelope(Kind kind, long epoch, @Nullable Lineage lineage, @Nullable Object value) {
        this.kind = kind;
        this.epoch = epoch;
        this.lineage = lineage;
        this.value = value;
    }

    public static Envelope item(Object value, long epoch, Lineage lineage) {
        return new Envelope(Kind.ITEM, epoch, lineage, value);
    }

    public static Envelope epochEnd(long epoch) {
        return new Envelope(Kind.EPOCH_END, epoch, null, null);
    }

    public static Envelope end() {
        return new Envelope(Kind.END, -1, null, null);
    }

    public boolean isMark() {
        return kind != Kind.ITEM;
    }
}
