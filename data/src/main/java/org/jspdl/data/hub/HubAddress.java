package org.jspdl.data.hub;

import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;

/// What a location names on the Hub.
///
/// @param kind       `datasets`, or `models`
/// @param repository its owner and name
/// @param revision   a branch, a tag or a commit
/// @param path       of a file or folder in the repository; empty for all of it
record HubAddress(String kind, String repository, String revision, String path) {
    private static final String SEGMENT = "!$&'()*+,;=-._~:";
    private static final String SEGMENTS = SEGMENT + "/@";
    private static final String DATASETS = "datasets/";
    private static final String SPACES = "spaces/";
    private static final String REFERENCE = "refs/";
    private static final String MAIN = "main";

    /// @throws StorageException if it names no repository
    static HubAddress parse(Location location) throws StorageException {
        String rest = location.afterScheme();
        boolean dataset = rest.startsWith(DATASETS);
        String[] parts = (dataset ? rest.substring(DATASETS.length()) : rest).split("/", 3);
        if (rest.startsWith(SPACES) || parts.length < 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new StorageException(
                    Kind.UNSUPPORTED, location, "names no repository: hf://datasets/OWNER/NAME/PATH does");
        }
        String name = parts[1];
        String path = parts.length < 3 ? "" : parts[2];
        String revision = MAIN;
        int at = name.indexOf('@');
        if (at >= 0) {
            revision = name.substring(at + 1);
            name = name.substring(0, at);
            if ((revision + "/").equals(REFERENCE)) { // refs/convert/parquet: two names more
                String[] more = path.split("/", 3);
                if (more.length < 2) {
                    throw new StorageException(Kind.UNSUPPORTED, location, "names a revision that ends too early");
                }
                revision = REFERENCE + more[0] + "/" + more[1];
                path = more.length < 3 ? "" : more[2];
            }
        }
        if (name.isEmpty() || revision.isEmpty()) {
            throw new StorageException(Kind.UNSUPPORTED, location, "names no repository and revision");
        }
        return new HubAddress(dataset ? "datasets" : "models", parts[0] + "/" + name, revision, path);
    }

    /// Where the file is read. The query makes the object ask with `GET`: what the Hub redirects to is signed for
    /// that.
    HttpAddress file(HttpAddress.Host hub) {
        String prefix = kind.equals("models") ? "/" : "/" + kind + "/";
        return new HttpAddress(
                hub,
                prefix + HttpAddress.escape(repository, SEGMENTS) + "/resolve/" + HttpAddress.escape(revision, SEGMENT)
                        + "/" + HttpAddress.escape(path, SEGMENTS) + "?download=true");
    }

    /// Where the files below the path are listed.
    HttpAddress listing(HttpAddress.Host hub) {
        String folder = path.isEmpty() ? "" : "/" + HttpAddress.escape(path, SEGMENTS);
        return new HttpAddress(
                hub,
                "/api/" + kind + "/" + HttpAddress.escape(repository, SEGMENTS) + "/tree/"
                        + HttpAddress.escape(revision, SEGMENT) + folder + "?recursive=true");
    }

    /// The location of another file of the repository.
    Location location(String file) {
        String prefix = kind.equals("models") ? "" : kind + "/";
        String at = revision.equals(MAIN) ? "" : "@" + revision;
        return Location.of("hf://" + prefix + repository + at + "/" + file);
    }
}
