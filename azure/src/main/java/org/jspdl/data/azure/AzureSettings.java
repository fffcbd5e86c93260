package org.jspdl.data.azure;

import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageOptions;

/// Which servers, and who asks.
///
/// @param account  the account that the key or the signature is for; empty if there is neither
/// @param endpoint its server; empty for that of Azure
/// @param domain   what follows the names of accounts in those of hosts
/// @param key      signs requests to the account
/// @param sas      a shared access signature for the account, without a question mark; or empty
/// @param unsigned whether other requests say nothing of who asks
record AzureSettings(
        String account, String endpoint, String domain, Optional<SharedKey> key, String sas, boolean unsigned) {
    private static final String AZURE = "core.windows.net";

    /// The account of Azurite, Azure's emulator, and its key, which is the same everywhere.
    private static final String EMULATOR = "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey="
            + "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;"
            + "BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1";

    /// What the environment says.
    ///
    /// @throws IllegalArgumentException if that makes no sense; the message holds no secret
    static AzureSettings of(Map<String, String> environment) {
        boolean unsigned = setting(environment, "AZURE_SKIP_SIGNATURE").equalsIgnoreCase("true");
        String connection = setting(environment, "AZURE_STORAGE_CONNECTION_STRING");
        if (!connection.isEmpty()) {
            return ofConnection(connection, unsigned);
        }
        String account = setting(environment, "AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME");
        String key = setting(environment, "AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY");
        String sas = setting(environment, "AZURE_STORAGE_SAS_TOKEN");
        if (account.isEmpty() && !(key.isEmpty() && sas.isEmpty())) {
            throw new IllegalArgumentException("AZURE_STORAGE_ACCOUNT does not say for which account the "
                    + (key.isEmpty() ? "AZURE_STORAGE_SAS_TOKEN" : "AZURE_STORAGE_KEY") + " is");
        }
        return new AzureSettings(
                account,
                "",
                AZURE,
                key(account, key, "AZURE_STORAGE_KEY"),
                key.isEmpty() ? sas.replaceFirst("^\\?", "") : "",
                unsigned);
    }

    /// What a connection string says, as the portal shows it.
    static AzureSettings ofConnection(String text, boolean unsigned) {
        Map<String, String> parts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String part : text.split(";")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(
                        part.substring(0, equals).strip(),
                        part.substring(equals + 1).strip());
            } else if (!part.isBlank()) {
                throw new IllegalArgumentException(
                        "AZURE_STORAGE_CONNECTION_STRING has a part without a '='; it is a list of Name=value;");
            }
        }
        if (parts.getOrDefault("UseDevelopmentStorage", "").equalsIgnoreCase("true")) {
            return ofConnection(EMULATOR, unsigned);
        }
        String domain = parts.getOrDefault("EndpointSuffix", AZURE);
        String endpoint = parts.getOrDefault("BlobEndpoint", "").replaceAll("/+$", "");
        String account = parts.getOrDefault("AccountName", "");
        if (account.isEmpty()) {
            account = accountOf(endpoint);
        }
        if (endpoint.isEmpty()) {
            String protocol =
                    parts.getOrDefault("DefaultEndpointsProtocol", "https").toLowerCase(Locale.ROOT);
            endpoint = protocol + "://" + account + ".blob." + domain;
        }
        String key = parts.getOrDefault("AccountKey", "");
        return new AzureSettings(
                account,
                endpoint,
                domain,
                key(account, key, "the AccountKey in AZURE_STORAGE_CONNECTION_STRING"),
                key.isEmpty() ? parts.getOrDefault("SharedAccessSignature", "").replaceFirst("^\\?", "") : "",
                unsigned);
    }

    /// The account whose server `endpoint` is: the first part of the name of a host.
    private static String accountOf(String endpoint) {
        String host = endpoint.replaceFirst("^https?://", "").replaceFirst("[/:].*", "");
        if (!host.matches("[a-z0-9]{3,24}\\..*[a-z].*")) {
            throw new IllegalArgumentException(
                    "AZURE_STORAGE_CONNECTION_STRING says neither an AccountName nor a BlobEndpoint that has it");
        }
        return host.substring(0, host.indexOf('.'));
    }

    private static Optional<SharedKey> key(String account, String encoded, String what) {
        if (encoded.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new SharedKey(account, encoded, Clock.systemUTC()));
        } catch (IllegalArgumentException noBase64) {
            throw new IllegalArgumentException(what + " is no key of an account, which is Base64"); // without the key
        }
    }

    private static String setting(Map<String, String> environment, String... names) {
        for (String name : names) {
            String value = environment.getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                return value;
            }
        }
        return "";
    }

    /// The server of the account, if its name is not that of the account at Azure; else empty.
    String unusualEndpoint() {
        return endpoint.endsWith("://" + account + ".blob." + AZURE) ? "" : endpoint;
    }

    /// The storage with these settings; the caller closes it.
    Storage open(StorageOptions options) {
        return open(options, new FoundTokens());
    }

    Storage open(StorageOptions options, TokenSource tokens) {
        return new AzureStorage(options, this, new AzureAuthorizer(this, tokens));
    }

    /// The web address of a blob, or of a container if the key is empty.
    ///
    /// @param query without its question mark; or empty
    HttpAddress at(AzureAddress address, String query) throws StorageException {
        boolean ours = address.account().equals(account);
        String server = ours && !endpoint.isEmpty()
                ? endpoint
                : "https://" + address.account() + "."
                        + (address.domain().isEmpty() ? "blob." + domain : address.domain());
        HttpAddress base = HttpAddress.parse(Location.of(server));
        String root = base.target().equals("/") ? "" : base.target();
        String signature = ours ? sas : "";
        String whole = query + (query.isEmpty() || signature.isEmpty() ? "" : "&") + signature;
        return new HttpAddress(base.host(), root + address.path() + (whole.isEmpty() ? "" : "?" + whole));
    }

    /// Whether a request to `host` may be signed with what is for the account alone.
    boolean isOurs(HttpAddress.Host host) {
        try {
            return !account.isEmpty()
                    && at(new AzureAddress("", account, "", "any", ""), "")
                            .host()
                            .equals(host);
        } catch (StorageException noServer) {
            return false;
        }
    }

    /// Without secrets.
    @Override
    public String toString() {
        return "AzureSettings[" + account + " " + endpoint + "]";
    }
}
