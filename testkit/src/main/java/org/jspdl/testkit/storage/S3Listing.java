package org.jspdl.testkit.storage;

import java.util.Map;

/// The answer to `ListObjectsV2`.
final class S3Listing {
    private static final int MOST = 1_000;

    private S3Listing() {}

    static String of(ObjectServer server, String bucket, Map<String, String> query) {
        int most = Integer.parseInt(query.getOrDefault("max-keys", "" + MOST));
        String after = query.getOrDefault("continuation-token", "");
        String root = "/" + bucket + "/";
        StringBuilder keys = new StringBuilder(200);
        String last = "";
        int count = 0;
        boolean more = false;
        for (var entry :
                server.below(root + query.getOrDefault("prefix", ""), after).entrySet()) {
            if (count == most) {
                more = true;
                break;
            }
            last = entry.getKey();
            count++;
            keys.append("<Contents><Key>")
                    .append(Escapes.xml(last.substring(root.length())))
                    .append("</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>")
                    .append(Escapes.xml(entry.getValue().tag()))
                    .append("</ETag><Size>")
                    .append(entry.getValue().size())
                    .append("</Size></Contents>");
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult>"
                + "<IsTruncated>" + more + "</IsTruncated>"
                + (more ? "<NextContinuationToken>" + Escapes.xml(last) + "</NextContinuationToken>" : "")
                + keys + "</ListBucketResult>";
    }
}
