package org.jspdl.data.http;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Which proxy stands between this machine and a host: what Java's system properties say (`https.proxyHost`), or else
/// `https_proxy`, `http_proxy` and `no_proxy` of the environment. This machine itself is asked directly.
final class ProxySettings {
    private final Map<String, String> environment;

    /// A proxy.
    ///
    /// @param credentials for its `Proxy-Authorization` header; empty if it wants none
    record ProxyServer(String name, int port, Optional<String> credentials) {
        @Override
        public String toString() {
            return "the proxy " + name + ":" + port; // never with credentials
        }
    }

    ProxySettings(Map<String, String> environment) {
        this.environment = environment;
    }

    /// The proxy on the way to `host`; empty if there is none.
    Optional<ProxyServer> to(HttpAddress.Host host) {
        return isThisMachine(host.name())
                ? Optional.empty()
                : ofProperties(host).or(() -> ofEnvironment(host));
    }

    private static boolean isThisMachine(String name) {
        return name.equals("localhost") || name.startsWith("127.") || name.equals("[::1]");
    }

    private static Optional<ProxyServer> ofProperties(HttpAddress.Host host) {
        ProxySelector selector = ProxySelector.getDefault();
        if (selector == null) {
            return Optional.empty();
        }
        return selector.select(URI.create(host + "/")).stream()
                .filter(proxy -> proxy.type() == Proxy.Type.HTTP)
                .findFirst()
                .map(proxy -> (InetSocketAddress) proxy.address())
                .map(address -> new ProxyServer(address.getHostString(), address.getPort(), Optional.empty()));
    }

    private Optional<ProxyServer> ofEnvironment(HttpAddress.Host host) {
        String url = host.tls()
                ? variable("https_proxy", "HTTPS_PROXY")
                : variable("http_proxy", "http_proxy"); // not in capitals: a web server sets that one for its visitors
        if (url.isEmpty() || isExempt(host.name())) {
            return Optional.empty();
        }
        try {
            URI uri = new URI(url.contains("://") ? url : "http://" + url);
            String user = uri.getUserInfo();
            return Optional.ofNullable(uri.getHost())
                    .map(name -> new ProxyServer(
                            name,
                            uri.getPort() < 0 ? 80 : uri.getPort(),
                            Optional.ofNullable(user).map(ProxySettings::basic)));
        } catch (URISyntaxException noAddress) {
            return Optional.empty();
        }
    }

    private static String basic(String user) {
        return "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    }

    private boolean isExempt(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        for (String entry : variable("no_proxy", "NO_PROXY").split(",")) {
            String domain = entry.strip().toLowerCase(Locale.ROOT);
            if (domain.equals("*")) {
                return true;
            }
            String bare = domain.replaceFirst("^\\*?\\.", "");
            if (!bare.isEmpty() && (name.equals(bare) || name.endsWith("." + bare))) {
                return true;
            }
        }
        return false;
    }

    private String variable(String name, String otherwise) {
        return environment.getOrDefault(name, environment.getOrDefault(otherwise, ""));
    }
}
