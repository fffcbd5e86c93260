package org.jspdl.data.bucket;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.http.HttpObject;
import org.jspdl.data.http.ObjectUpdate;
import org.jspdl.data.http.ParallelTasks;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.http.TextPage;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;

/// Writes one object: a small one in one request, a larger one in parts, which S3 puts together at the end ("Uploading
/// and copying objects using multipart upload", Amazon S3 User Guide). Either way it is there whole or not at all.
///
/// Parts of an upload that does not end well are deleted; those that a killed process left, by the next upload of the
/// same object. One thread.
final class BucketUpload {
    /// Not larger in one request. S3 takes parts of 5 MiB at least.
    private static final long PART_BYTES = 16L << 20;
    private static final int MOST_PARTS = 10_000;
    private static final int AT_ONCE = 4;
    private static final Pattern UPLOAD = Pattern.compile("<Upload>(.*?)</Upload>", Pattern.DOTALL);
    private static final Duration ABORT_WITHIN = Duration.ofSeconds(10);

    private final RangeClient client;
    private final BucketServer server;
    private final Location location;
    private final BucketAddress address;
    private final Duration within;

    /// @param within how long each request may be repeated
    BucketUpload(RangeClient client, BucketServer server, Location location, Duration within) throws StorageException {
        this.client = client;
        this.server = server;
        this.location = location;
        this.address = BucketAddress.parse(location);
        this.within = within;
        if (address.key().isEmpty()) {
            throw new StorageException(Kind.UNSUPPORTED, location, "names a bucket, not an object in it");
        }
    }

    /// Writes the object.
    void put(MemorySegment content) throws IOException {
        if (content.byteSize() <= PART_BYTES) {
            send(server.at(address, ""), content);
            return;
        }
        String upload = begin();
        try {
            abortOthers(upload);
            complete(upload, parts(upload, content), content.byteSize());
        } catch (Throwable failure) {
            abort(upload, failure);
            throw failure;
        }
    }

    /// Begins an upload and gives it up: whoever may do that may write.
    void probe() throws IOException {
        String upload = begin();
        update(uploadId(upload), ObjectUpdate.of("DELETE"), within);
    }

    private TextPage update(String query, ObjectUpdate update, Duration limit) throws IOException {
        return client.update(location, server.at(address, "?" + query), update, limit);
    }

    private String begin() throws IOException {
        byte[] begun = update("uploads=", ObjectUpdate.of("POST"), within).text();
        return element(new String(begun, StandardCharsets.UTF_8), "UploadId");
    }

    /// The entity tags of all parts, in their order.
    private List<String> parts(String upload, MemorySegment content) throws IOException {
        long bytes = Math.max(PART_BYTES, Math.ceilDiv(content.byteSize(), (long) MOST_PARTS));
        int count = Math.toIntExact(Math.ceilDiv(content.byteSize(), bytes));
        List<String> tags = new ArrayList<>(Collections.nCopies(count, ""));
        AtomicInteger next = new AtomicInteger();
        ParallelTasks.run(Collections.nCopies(Math.min(AT_ONCE, count), () -> {
            for (int part = next.getAndIncrement(); part < count; part = next.getAndIncrement()) {
                long from = part * bytes;
                String query = "?partNumber=" + (part + 1) + "&" + uploadId(upload);
                String tag = send(
                                server.at(address, query),
                                content.asSlice(from, Math.min(bytes, content.byteSize() - from)))
                        .tag();
                synchronized (tags) {
                    tags.set(part, tag);
                }
            }
        }));
        return tags;
    }

    private TextPage send(HttpAddress to, MemorySegment body) throws IOException {
        return client.update(location, to, new ObjectUpdate("PUT", Map.of("Content-MD5", md5(body)), body), within);
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

    private void complete(String upload, List<String> tags, long bytes) throws IOException {
        StringBuilder text = new StringBuilder("<CompleteMultipartUpload>");
        for (int i = 0; i < tags.size(); i++) {
            text.append("<Part><PartNumber>")
                    .append(i + 1)
                    .append("</PartNumber><ETag>")
                    .append(tags.get(i).replace("\"", "&quot;"))
                    .append("</ETag></Part>");
        }
        byte[] body = text.append("</CompleteMultipartUpload>").toString().getBytes(StandardCharsets.UTF_8);
        try {
            update(uploadId(upload), new ObjectUpdate("POST", Map.of(), MemorySegment.ofArray(body)), within);
        } catch (StorageException failure) {
            // the answer to an earlier attempt may have been lost
            if (failure.kind() != Kind.MISSING || size() != bytes) {
                throw failure;
            }
        }
    }

    private long size() throws IOException {
        try (HttpObject object = new HttpObject(location, server.at(address, ""), client)) {
            return object.size();
        }
    }

    /// Deletes what other uploads of the same object have left: of processes that were killed, and of attempts to
    /// begin whose answers were lost. A store that doesn't let us see them keeps them until its own rules delete
    /// them.
    private void abortOthers(String ours) throws IOException {
        BucketAddress bucket = new BucketAddress(address.bucket(), "");
        HttpAddress list = server.at(bucket, "?" + BucketAddress.query("prefix", address.key()) + "&uploads=");
        String found;
        try {
            found = new String(client.text(location, list), StandardCharsets.UTF_8);
        } catch (StorageException unseen) {
            return;
        }
        Matcher uploads = UPLOAD.matcher(found);
        while (uploads.find()) {
            String key = element(uploads.group(1), "Key");
            String id = element(uploads.group(1), "UploadId");
            if (key.equals(address.key()) && !id.equals(ours)) {
                update(uploadId(id), ObjectUpdate.of("DELETE"), ABORT_WITHIN);
            }
        }
    }

    /// Deletes the parts that were sent, also if the thread is interrupted: `failure` is what ended the upload.
    private void abort(String upload, Throwable failure) {
        boolean interrupted = Thread.interrupted();
        try {
            update(uploadId(upload), ObjectUpdate.of("DELETE"), ABORT_WITHIN);
        } catch (IOException remains) {
            failure.addSuppressed(remains);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String uploadId(String upload) {
        return "uploadId=" + HttpAddress.escape(upload, "-._~");
    }

    private String element(String xml, String name) throws StorageException {
        Matcher matcher =
                Pattern.compile("<" + name + ">([^<]{1,4096})</" + name + ">").matcher(xml);
        if (!matcher.find()) {
            throw new StorageException(Kind.UNAVAILABLE, location, "the answer of the store has no " + name);
        }
        return unescaped(matcher.group(1));
    }

    private static String unescaped(String xml) {
        return xml.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&apos;", "'")
                .replace("&amp;", "&");
    }
}
