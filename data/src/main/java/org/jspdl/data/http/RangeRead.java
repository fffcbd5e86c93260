package org.jspdl.data.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspdl.data.http.pace.Cancellation;
import org.jspdl.data.http.range.Scatter;
import org.jspdl.data.storage.StorageException.Kind;

/// Reads one range into its place; after a failure it goes on where it was.
final class RangeRead implements RangeClient.Receiver<ObjectMetadata> {
    /// More would be moved by as much as the head of the response takes.
    private static final int MOST_SCRATCH = 16 << 10;

    private final ObjectRequest object;
    private final MetadataTracker metadata;
    private final Scatter target;
    private final HttpCounters counters;
    private final Cancellation cancellation;

    RangeRead(
            ObjectRequest object,
            MetadataTracker metadata,
            Scatter target,
            HttpCounters counters,
            Cancellation cancellation) {
        this.object = object;
        this.metadata = metadata;
        this.target = target;
        this.counters = counters;
        this.cancellation = cancellation;
    }

    @Override
    public Cancellation cancellation() {
        return cancellation;
    }

    @Override
    public ObjectRequest request() {
        return object.range(target.at(), target.end()).version(metadata.version());
    }

    /// The place of the body, where the head does no harm: no other memory is needed while the response is awaited.
    @Override
    public ByteBuffer scratch() {
        ByteBuffer room = target.next();
        return room.isDirect() ? room.limit(Math.min(room.limit(), MOST_SCRATCH)) : ByteBuffer.allocate(0);
    }

    @Override
    public ObjectMetadata receive(ResponseHead head, ResponseBody body) throws IOException {
        head.requirePlain(object.location());
        long wanted = target.end() - target.at();
        long length = head.contentLength().orElse(-1);
        long size = head.status() == 206 ? sizeOfRight(head) : length;
        if (size < 0) {
            throw UnexpectedResponseException.permanent(
                    Kind.UNSUPPORTED,
                    "the server does not say how large the object is; such an object can only be read as a whole");
        }
        ObjectMetadata learned = metadata.learn(size, head.version());
        if (head.status() != 206 && (target.at() != 0 || length != wanted)) {
            throw UnexpectedResponseException.permanent(
                    Kind.UNSUPPORTED,
                    "the server sends the whole object when it is asked for a range; read it as a whole");
        }
        if (length >= 0 && length != wanted) {
            throw UnexpectedResponseException.retryable(
                    String.format(Locale.ROOT, "asked for %,d bytes, the response says it has %,d", wanted, length));
        }
        fill(target, wanted, body, counters);
        return learned;
    }

    static void fill(Scatter target, long length, ResponseBody body, HttpCounters counters) throws IOException {
        long from = target.at();
        try {
            body.fill(target, length);
        } finally {
            counters.bytes.add(target.at() - from);
        }
    }

    /// How large the object is, if the range is the one that was asked for.
    private long sizeOfRight(ResponseHead head) throws IOException {
        long[] range = head.contentRange();
        if (range[0] == target.at() && range[1] == target.end() - 1) {
            return range[2];
        }
        if (range[0] == target.at() && range[1] < target.end() && range[2] == range[1] + 1) {
            metadata.learn(range[2], head.version()); // an index that is wrong is the better explanation
            throw UnexpectedResponseException.permanent(
                    Kind.RANGE,
                    String.format(
                            Locale.ROOT,
                            "cannot read %,d bytes at %,d, it has %,d bytes",
                            target.end() - target.at(),
                            target.at(),
                            range[2]));
        }
        throw UnexpectedResponseException.retryable(String.format(
                Locale.ROOT,
                "asked for bytes %,d to %,d, got %,d to %,d",
                target.at(),
                target.end() - 1,
                range[0],
                range[1]));
    }

    /// Reads no more than the head of a response for one byte: size and version of the object.
    static RangeRead ofFirstByte(ObjectRequest object, MetadataTracker metadata, HttpCounters counters) {
        return new RangeRead(
                object,
                metadata,
                Scatter.of(0, java.lang.foreign.MemorySegment.ofArray(new byte[1])),
                counters,
                new Cancellation());
    }
}
