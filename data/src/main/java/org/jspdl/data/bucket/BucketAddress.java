package org.jspdl.data.bucket;

import java.util.Locale;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;

/// A bucket and a key.
///
/// @param key empty for the whole bucket
public record BucketAddress(String bucket, String key) {
    private static final String KEPT = "/-._~";

    /// What `scheme://bucket/key` names.
    ///
    /// @throws StorageException if it names no bucket
    public static BucketAddress parse(Location location) throws StorageException {
        String rest = location.afterScheme();
        int slash = rest.indexOf('/');
        String bucket = slash < 0 ? rest : rest.substring(0, slash);
        if (!bucket.matches("[A-Za-z0-9][A-Za-z0-9._-]{2,253}")) {
            throw new StorageException(
                    Kind.UNSUPPORTED,
                    location,
                    // What stands there may be a password; the location is shown without it.
                    (bucket.isEmpty()
                                    ? "names no bucket"
                                    : "what follows " + location.scheme() + ":// can be no bucket's name: that has 3 to"
                                            + " 63 letters a to z, digits, dots and hyphens")
                            + "; what is wanted is " + location.scheme() + "://bucket/key");
        }
        return new BucketAddress(bucket, slash < 0 ? "" : rest.substring(slash + 1));
    }

    /// The key as a path, with the slash before it.
    public String path() {
        return "/" + HttpAddress.escape(key, KEPT);
    }

    /// The same at `endpoint`, where the bucket is the first part of the path.
    ///
    /// @param query with its question mark; or empty
    public HttpAddress below(String endpoint, String query) throws StorageException {
        HttpAddress base = HttpAddress.parse(Location.of(endpoint));
        String root = base.target().equals("/") ? "" : base.target().replaceAll("/+$", "");
        return new HttpAddress(base.host(), root + "/" + bucket + path() + query);
    }

    static String query(String name, String value) {
        return name.toLowerCase(Locale.ROOT) + "=" + HttpAddress.escape(value, "-._~");
    }
}
