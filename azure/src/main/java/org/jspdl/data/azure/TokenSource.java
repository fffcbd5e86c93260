package org.jspdl.data.azure;

import java.io.IOException;
import org.jspdl.data.http.HttpAddress;

/// Where tokens of Microsoft Entra ID come from. Asked for every request, by many threads.
@FunctionalInterface
interface TokenSource {
    /// A token that is valid now, for `Authorization: Bearer`.
    ///
    /// @throws IOException if there is none; a [org.jspdl.data.storage.StorageException] if asking again is of no
    ///     use
    String token(HttpAddress address) throws IOException;
}
