package org.jspdl.data.hub;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspdl.data.http.Authorizer;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.files.InputFile;

/// Says who asks by a token, to one host and no other.
///
/// @param host  which is told
/// @param token which is never shown
record HubToken(HttpAddress.Host host, Optional<String> token) implements Authorizer {
    private static final int MOST_BYTES = 1 << 16;

    /// The token where Hugging Face's tools look for it; none is sent without encryption, but to this machine.
    static HubToken of(HttpAddress.Host host, Map<String, String> environment, Path home) {
        boolean safe =
                host.tls() || host.name().equals("localhost") || host.name().equals("127.0.0.1");
        return new HubToken(host, safe ? token(environment, home) : Optional.empty());
    }

    private static Optional<String> token(Map<String, String> environment, Path home) {
        String given = environment.getOrDefault("HF_TOKEN", "").strip();
        if (!given.isEmpty()) {
            return checked(given);
        }
        String folder = environment.getOrDefault(
                "HF_HOME", home.resolve(".cache/huggingface").toString());
        Path file = Path.of(environment.getOrDefault("HF_TOKEN_PATH", folder + "/token"));
        try {
            return file.isAbsolute() ? checked(InputFile.text(file, MOST_BYTES).strip()) : Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /// No more than the signs of tokens: what else a file holds belongs into no header.
    private static Optional<String> checked(String token) {
        return token.matches("[A-Za-z0-9._~+/=-]{1,4096}") ? Optional.of(token) : Optional.empty();
    }

    @Override
    public void authorize(String method, HttpAddress address, Map<String, String> headers) {
        if (address.host().equals(host)) {
            token.ifPresent(value -> headers.put("Authorization", "Bearer " + value));
        }
    }

    /// Redirections lead to other hosts, which are not told.
    @Override
    public boolean isPersonal() {
        return false;
    }

    @Override
    public String toString() {
        return host + (token.isPresent() ? ", with a token" : ", without a token");
    }
}
