package org.jspdl.data.gcs;

import com.google.auth.Retryable;
import com.google.auth.oauth2.GoogleCredentials;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.http.Authorizer;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspecify.annotations.Nullable;

/// Adds the token of the moment, which Google's library gets and renews. Thread-safe.
final class GoogleAuthorizer implements Authorizer {
    private static final String SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";
    private static final URI AUDIENCE = URI.create(GcsSettings.GOOGLE + "/");

    private final Search search;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable GoogleCredentials found;

    /// Where credentials come from. May take long.
    @FunctionalInterface
    interface Search {
        GoogleCredentials find() throws IOException;
    }

    GoogleAuthorizer(Search search) {
        this.search = search;
    }

    /// The application's default credentials, looked for when the first request is sent.
    static GoogleAuthorizer ofThisProcess() {
        return new GoogleAuthorizer(GoogleCredentials::getApplicationDefault);
    }

    @Override
    public boolean isPersonal() {
        return true;
    }

    @Override
    public void authorize(String method, HttpAddress address, Map<String, String> headers) throws IOException {
        GoogleCredentials credentials = credentials(address);
        Map<String, List<String>> added;
        try {
            added = credentials.getRequestMetadata(AUDIENCE);
        } catch (IOException failure) {
            if (failure instanceof Retryable again && again.isRetryable()) {
                throw failure;
            }
            Throwable reason = failure.getCause() == null ? failure : failure.getCause();
            throw denied(address, "Google gives no token for these credentials: " + reason.getMessage(), failure);
        }
        added.forEach((name, values) -> headers.put(name, values.getFirst()));
    }

    private GoogleCredentials credentials(HttpAddress address) throws StorageException {
        lock.lock();
        try {
            GoogleCredentials known = found;
            if (known == null) {
                known = search.find().createScoped(SCOPE);
                found = known;
            }
            return known;
        } catch (IOException absent) {
            throw denied(
                    address,
                    "no Google credentials found in GOOGLE_APPLICATION_CREDENTIALS, those of 'gcloud auth"
                            + " application-default login', or of this machine. Set them, or GOOGLE_SKIP_SIGNATURE=true"
                            + " for public buckets",
                    absent);
        } finally {
            lock.unlock();
        }
    }

    private static StorageException denied(HttpAddress address, String reason, IOException cause) {
        return new StorageException(Kind.DENIED, Location.of(address.host().toString()), reason, cause);
    }
}
