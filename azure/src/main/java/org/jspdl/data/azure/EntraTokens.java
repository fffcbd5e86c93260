package org.jspdl.data.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.identity.DefaultAzureCredentialBuilder;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspecify.annotations.Nullable;

/// Tokens that Azure's library gets, renewed when they have five minutes left. Only here are its classes named, so that
/// nothing else needs it. Thread-safe.
final class EntraTokens implements TokenSource {
    private static final String SCOPE = "https://storage.azure.com/.default";
    private static final Duration MARGIN = Duration.ofMinutes(5);

    private final TokenCredential credential;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable AccessToken current;

    EntraTokens(TokenCredential credential, Clock clock) {
        this.credential = credential;
        this.clock = clock;
    }

    /// What the environment, the machine or the Azure command has; asked when the first request is sent.
    ///
    /// @throws LinkageError if the library is not there
    static EntraTokens ofThisProcess() {
        return new EntraTokens(new DefaultAzureCredentialBuilder().build(), Clock.systemUTC());
    }

    @Override
    public String token(HttpAddress address) throws IOException {
        lock.lock();
        try {
            AccessToken known = current;
            if (known == null
                    || !clock.instant()
                            .isBefore(known.getExpiresAt().toInstant().minus(MARGIN))) {
                known = credential.getTokenSync(new TokenRequestContext().addScopes(SCOPE));
                current = known;
            }
            return known.getToken();
        } catch (ClientAuthenticationException refused) {
            throw new StorageException(
                    Kind.DENIED,
                    Location.of(address.host().toString()),
                    "Microsoft Entra ID gives no token for this process: " + firstLine(refused),
                    refused);
        } catch (RuntimeException failure) {
            throw new IOException("no token from Microsoft Entra ID: " + firstLine(failure), failure);
        } finally {
            lock.unlock();
        }
    }

    private static String firstLine(RuntimeException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }
}
