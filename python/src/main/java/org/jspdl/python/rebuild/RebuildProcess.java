package org.jspdl.python.rebuild;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspdl.json.Json;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.plan.Operations;
import org.jspdl.plan.PlanException;
import org.jspdl.plan.record.RebuiltBatch;
import org.jspdl.plan.record.RecordedRun;
import org.jspdl.python.item.ItemContent;

/// The process that the Python package starts to build a batch of a recorded run again: `RebuildProcess RECORD RANK
/// STEP FILE`. The bytes of the batch's arrays go into the file, and what they are goes to the standard output, as
/// JSON: `structure` and `values` as of [ItemContent], and `offsets` of the arrays in the file; or `error`, in words.
public final class RebuildProcess {
    /// Of arrays in the file, as wide as a line of the cache.
    private static final long ALIGNMENT = 64;

    private static final int CHUNK = 1 << 20;

    private RebuildProcess() {}

    /// Builds one batch.
    public static void main(String[] arguments) {
        if (arguments.length != 4) {
            System.err.println("jspdl: this program is started by the Python package jspdl");
            Runtime.getRuntime().exit(2);
        }
        System.out.println(Json.write(said(
                Path.of(arguments[0]),
                Integer.parseInt(arguments[1]),
                Long.parseLong(arguments[2]),
                Path.of(arguments[3]))));
        System.out.flush();
        Runtime.getRuntime().exit(0);
    }

    private static Map<String, Object> said(Path record, int rank, long step, Path file) {
        try (RebuiltBatch batch =
                RecordedRun.find(record, rank, step).rebuild(Operations.installed(), UnaryOperator.identity())) {
            ItemContent content = ItemContent.of(batch.batch());
            return Map.of(
                    "structure", content.structure(),
                    "values", content.values(),
                    "offsets", write(content.pieces(), file));
        } catch (IOException
                | IllegalArgumentException
                | IllegalStateException
                | PlanException
                | PipelineException cannot) {
            return Map.of("error", Json.wellFormed(String.valueOf(cannot.getMessage())));
        }
    }

    /// Where each begins.
    private static List<Long> write(List<ItemContent.Piece> pieces, Path file) throws IOException {
        List<Long> offsets = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            byte[] chunk = new byte[CHUNK];
            long offset = 0;
            for (ItemContent.Piece piece : pieces) {
                offsets.add(offset);
                long size = piece.bytes().byteSize();
                for (long at = 0; at < size; at += CHUNK) {
                    int length = (int) Math.min(CHUNK, size - at);
                    MemorySegment.ofArray(chunk)
                            .asSlice(0, length)
                            .copyFrom(piece.bytes().asSlice(at, length));
                    ByteBuffer part = ByteBuffer.wrap(chunk, 0, length);
                    while (part.hasRemaining()) {
                        channel.write(part, offset + at + part.position());
                    }
                }
                offset += Math.ceilDiv(size, ALIGNMENT) * ALIGNMENT;
            }
        }
        return offsets;
    }
}
