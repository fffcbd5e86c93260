package org.jspdl.data.azure;

import java.io.IOException;
import java.util.Map;
import org.jspdl.data.http.Authorizer;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;

/// Signs what goes to the account of the settings with its key, and gives a token to other accounts. A shared access
/// signature stands in the address already. Thread-safe.
final class AzureAuthorizer implements Authorizer {
    /// The version of Azure's interface that requests are written for.
    private static final String VERSION = "2023-11-03";

    private final AzureSettings settings;
    private final TokenSource tokens;

    AzureAuthorizer(AzureSettings settings, TokenSource tokens) {
        this.settings = settings;
        this.tokens = tokens;
    }

    /// Signatures in addresses are, too.
    @Override
    public boolean isPersonal() {
        return true;
    }

    @Override
    public void authorize(String method, HttpAddress address, Map<String, String> headers) throws IOException {
        headers.put("x-ms-version", VERSION);
        boolean ours = settings.isOurs(address.host());
        if (ours && settings.key().isPresent()) {
            settings.key().get().sign(method, address, headers);
        } else if (!(ours && !settings.sas().isEmpty()) && !settings.unsigned()) {
            if (!address.host().tls()) {
                throw new StorageException(
                        Kind.DENIED,
                        Location.of(address.host().toString()),
                        "a token of Microsoft Entra ID is not sent without encryption; use https, or a key");
            }
            headers.put("Authorization", "Bearer " + tokens.token(address));
        }
    }
}
