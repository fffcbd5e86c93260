package org.jspdl.data.azure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;

/// A blob, or a container.
///
/// @param root   what a location of this container begins with, such as `az://account/container`
/// @param domain what follows the account in the name of the host, such as `core.windows.net`; empty if it was not
///               said
/// @param key    the name of a blob, unescaped; empty for the whole container
record AzureAddress(String root, String account, String domain, String container, String key) {
    private static final String ACCOUNT = "[a-z0-9]{3,24}";
    private static final String CONTAINER = "\\$root|\\$web|\\$logs|[a-z0-9][a-z0-9-]{1,61}[a-z0-9]";
    private static final Pattern AZ =
            Pattern.compile("(" + ACCOUNT + ")/(" + CONTAINER + ")(?:/(.*))?", Pattern.DOTALL);
    /// Only hosts of Azure's clouds: a token is sent there, so that a list must not name others.
    private static final Pattern ABFS = Pattern.compile(
            "(" + CONTAINER + ")@(" + ACCOUNT + ")\\.((?:z\\d{1,3}\\.)?)(?:dfs|blob)\\."
                    + "(core\\.windows\\.net|core\\.usgovcloudapi\\.net|core\\.chinacloudapi\\.cn|storage\\.azure\\.net)"
                    + "(?:/(.*))?",
            Pattern.DOTALL);
    private static final String KEPT = "/-._~";

    /// What `az://account/container/blob` or `abfss://container@account.dfs.core.windows.net/blob` names.
    ///
    /// @throws StorageException if it names no container
    static AzureAddress parse(Location location) throws StorageException {
        String rest = location.afterScheme();
        if (location.scheme().equals("az")) {
            Matcher az = AZ.matcher(rest);
            if (az.matches()) {
                String root = "az://" + az.group(1) + "/" + az.group(2);
                return new AzureAddress(root, az.group(1), "", az.group(2), orEmpty(az.group(3)));
            }
            throw new StorageException(
                    Kind.UNSUPPORTED,
                    location,
                    "names no container: after az:// comes the storage account (3 to 24 small letters and digits), then"
                            + " /container, then /blob");
        }
        Matcher abfs = ABFS.matcher(rest);
        if (abfs.matches()) {
            String key = orEmpty(abfs.group(5));
            String root = location.scheme() + "://" + (key.isEmpty() ? rest : rest.substring(0, abfs.start(5) - 1));
            String zone = abfs.group(3);
            return new AzureAddress(
                    root.replaceAll("/$", ""),
                    abfs.group(2),
                    zone.isEmpty() ? "blob." + abfs.group(4) : zone + "blob." + abfs.group(4),
                    abfs.group(1),
                    key);
        }
        throw new StorageException(
                Kind.UNSUPPORTED,
                location,
                "names no container: it is written abfss://container@account.dfs.core.windows.net/blob, or with the"
                        + " domain of another cloud of Azure");
    }

    private static String orEmpty(String group) {
        return group == null ? "" : group;
    }

    /// The same container without a blob.
    AzureAddress all() {
        return new AzureAddress(root, account, domain, container, "");
    }

    /// Where users find a blob of this container.
    Location location(String blob) {
        return Location.of(root + "/" + blob);
    }

    /// The path at the server of the account, escaped.
    String path() {
        return "/" + container + (key.isEmpty() ? "" : "/" + HttpAddress.escape(key, KEPT));
    }
}
