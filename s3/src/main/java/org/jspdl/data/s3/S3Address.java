package org.jspdl.data.s3;

import java.util.Locale;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;

/// A bucket and a key.
///
/// @param key empty for the whole bucket
record S3Address(String bucket, String key) {
    private static final String KEPT = "/-._~";

    static S3Address parse(Location location) throws StorageException {
        String rest = location.afterScheme();
        int slash = rest.indexOf('/');
        String bucket = slash < 0 ? rest : rest.substring(0, slash);
        if (!bucket.matches("[A-Za-z0-9][A-Za-z0-9._-]{1,253}")) {
            throw new StorageException(
                    Kind.UNSUPPORTED, location, "no S3 address: after s3:// comes the name of a bucket, then /key");
        }
        return new S3Address(bucket, slash < 0 ? "" : rest.substring(slash + 1));
    }

    /// Where the object is, and its bucket: as a host of its own at AWS, as the first part of the path elsewhere
    /// and where no certificate would fit the name.
    HttpAddress at(S3Settings settings, String query) throws StorageException {
        String object = "/" + HttpAddress.escape(key, KEPT) + query;
        boolean ownHost = settings.endpoint().isEmpty() && bucket.matches("[a-z0-9-]+");
        String aws = "s3." + settings.region() + ".amazonaws.com";
        HttpAddress base = HttpAddress.parse(Location.of(
                ownHost ? "https://" + bucket + "." + aws : settings.endpoint().orElse("https://" + aws)));
        String root = base.target().equals("/") ? "" : base.target().replaceAll("/+$", "");
        return new HttpAddress(base.host(), root + (ownHost ? "" : "/" + bucket) + object);
    }

    static String query(String name, String value) {
        return name.toLowerCase(Locale.ROOT) + "=" + HttpAddress.escape(value, "-._~");
    }
}
