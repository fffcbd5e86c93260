package org.jspdl.data.azure;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.http.ObjectUpdate;
import org.jspdl.data.http.ParallelTasks;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;

/// Writes one blob: a small one in one request ("Put Blob"), a larger one in blocks that a last request puts together
/// ("Put Block", "Put Block List"). Either way it is there whole or not at all.
///
/// Blocks of an upload that does not end are seen by nobody. Azure deletes them with the next upload of the same blob,
/// or after a week; there is no request that would. One thread.
final class AzureUpload {
    /// Not larger in one request.
    private static final long BLOCK_BYTES = 16L << 20;
    private static final int MOST_BLOCKS = 50_000;
    private static final int AT_ONCE = 4;

    private final RangeClient client;
    private final AzureSettings settings;
    private final Location location;
    private final AzureAddress address;
    private final Duration within;

    /// @param within how long each request may be repeated
    AzureUpload(RangeClient client, AzureSettings settings, Location location, Duration within)
            throws StorageException {
        this.client = client;
        this.settings = settings;
        this.location = location;
        this.address = AzureStorage.blob(location);
        this.within = within;
    }

    /// Writes the blob.
    void put(MemorySegment content) throws IOException {
        if (content.byteSize() <= BLOCK_BYTES) {
            send("", Map.of("x-ms-blob-type", "BlockBlob"), content);
            return;
        }
        UUID upload = UUID.randomUUID(); // so that two who write the same blob never mix their blocks
        long bytes = Math.max(BLOCK_BYTES, Math.ceilDiv(content.byteSize(), (long) MOST_BLOCKS));
        int count = Math.toIntExact(Math.ceilDiv(content.byteSize(), bytes));
        AtomicInteger next = new AtomicInteger();
        ParallelTasks.run(Collections.nCopies(Math.min(AT_ONCE, count), () -> {
            for (int block = next.getAndIncrement(); block < count; block = next.getAndIncrement()) {
                long from = block * bytes;
                send(
                        "comp=block&blockid=" + HttpAddress.escape(id(upload, block), "-._~"),
                        Map.of(),
                        content.asSlice(from, Math.min(bytes, content.byteSize() - from)));
            }
        }));
        complete(upload, count);
    }

    /// The blocks in their order. Sent twice, for an answer that was lost, it does the same again.
    private void complete(UUID upload, int count) throws IOException {
        StringBuilder list = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>");
        for (int block = 0; block < count; block++) {
            list.append("<Latest>").append(id(upload, block)).append("</Latest>");
        }
        byte[] body = list.append("</BlockList>").toString().getBytes(StandardCharsets.UTF_8);
        send("comp=blocklist", Map.of(), MemorySegment.ofArray(body));
    }

    /// The name of a block; all of a blob must have the same length.
    private static String id(UUID upload, int block) {
        ByteBuffer id = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES)
                .putLong(upload.getMostSignificantBits())
                .putLong(upload.getLeastSignificantBits())
                .putInt(block);
        return Base64.getEncoder().encodeToString(id.array());
    }

    /// Asks to replace a version of the blob that there never was: whoever may write is told that, others that they
    /// may not.
    void probe() throws IOException {
        try {
            send("", Map.of("x-ms-blob-type", "BlockBlob", "If-Match", "\"0x0\""), MemorySegment.NULL);
        } catch (StorageException failure) {
            boolean mayWrite = failure.kind() == Kind.CHANGED
                    || String.valueOf(failure.getMessage()).contains("(BlobNotFound)");
            if (!mayWrite) {
                throw failure;
            }
        }
    }

    private void send(String query, Map<String, String> headers, MemorySegment body) throws IOException {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put("Content-MD5", md5(body));
        client.update(location, settings.at(address, query), new ObjectUpdate("PUT", all, body), within);
    }

    private static String md5(MemorySegment body) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            md5.update(body.asByteBuffer());
            return Base64.getEncoder().encodeToString(md5.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
