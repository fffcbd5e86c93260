package org.jspdl.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspdl.python.wire.FrameWriter;

/// The events among the frames that were written.
final class Frames extends ByteArrayOutputStream {
    private final long slotBytes;
    private int begin;

    Frames(long slotBytes) {
        this.slotBytes = slotBytes;
    }

    /// A batch, or the end of an epoch with a negative slot.
    record Event(long number, int slot) {}

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        super.write(bytes, offset, length);
        notifyAll();
    }

    /// The next event; waits for it.
    synchronized Event next() throws InterruptedException {
        while (true) {
            while (count - begin < 5) {
                wait();
            }
            ByteBuffer frame =
                    ByteBuffer.wrap(buf, begin, count - begin).slice().order(ByteOrder.LITTLE_ENDIAN);
            int length = frame.getInt();
            byte kind = frame.get();
            begin += 5 + length;
            if (kind == FrameWriter.BATCH) {
                return new Event(frame.getLong(5), (int) (frame.getLong(5 + 4 * 8 + 4) / slotBytes));
            }
            if (kind == FrameWriter.EPOCH_END) {
                byte[] text = new byte[length - 8];
                frame.get(13, text);
                return new Event(Long.parseLong(new String(text, StandardCharsets.UTF_8).replaceAll("\\D", "")), -1);
            }
            assertThat(kind).isIn(FrameWriter.READY, FrameWriter.STRUCTURE);
        }
    }
}
