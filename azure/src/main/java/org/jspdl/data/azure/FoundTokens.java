package org.jspdl.data.azure;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspecify.annotations.Nullable;

/// The tokens of [EntraTokens], if Azure's library is there; it is looked for when the first one is asked for.
/// Thread-safe.
final class FoundTokens implements TokenSource {
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable TokenSource found;

    @Override
    public String token(HttpAddress address) throws IOException {
        return source(address).token(address);
    }

    private TokenSource source(HttpAddress address) throws StorageException {
        lock.lock();
        try {
            TokenSource known = found;
            if (known == null) {
                known = EntraTokens.ofThisProcess();
                found = known;
            }
            return known;
        } catch (LinkageError absent) {
            throw new StorageException(
                    Kind.DENIED,
                    Location.of(address.host().toString()),
                    "no credentials for this storage account in AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT"
                            + " with AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN. Set them, or"
                            + " AZURE_SKIP_SIGNATURE=true for public containers, or put azure-identity on the class"
                            + " path for Microsoft Entra ID",
                    absent);
        } finally {
            lock.unlock();
        }
    }
}
