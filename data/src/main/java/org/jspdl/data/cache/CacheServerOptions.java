package org.jspdl.data.cache;

import java.util.Optional;

/// How a machine lets others read its cache, and the limits of what it does for them. Immutable.
///
/// @param host    the address that it listens at
/// @param port    the port; 0 for any
/// @param token   what requests must carry; empty for none
/// @param anybody whether other machines may ask without a token
/// @param atOnce  pieces that are sent at once; who asks for more is told to ask elsewhere
public record CacheServerOptions(String host, int port, Optional<String> token, boolean anybody, int atOnce) {
    /// Where the token comes from if a plan or a command serves, and whoever asks others.
    public static final String TOKEN_VARIABLE = "JSPDL_CACHE_TOKEN";

    /// @throws IllegalArgumentException if a value makes no sense, which it names
    public CacheServerOptions {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be from 0 to 65535 but was " + port);
        }
        if (atOnce < 1 || atOnce > 65_536) {
            throw new IllegalArgumentException("atOnce must be from 1 to 65536 but was " + atOnce);
        }
        requireToken(token);
    }

    /// Refuses what no header of a request can hold, without showing it.
    static void requireToken(Optional<String> token) {
        if (token.isPresent() && token.get().isBlank()) {
            throw new IllegalArgumentException("a token must not be blank");
        }
        if (token.isPresent() && !token.get().chars().allMatch(each -> each > ' ' && each < 127)) {
            throw new IllegalArgumentException("the token of a cache must be of letters, digits and signs of ASCII,"
                    + " without spaces and ends of lines: look at " + TOKEN_VARIABLE);
        }
    }

    /// For this machine alone, 64 pieces at once.
    public static CacheServerOptions at(int port) {
        return new CacheServerOptions("127.0.0.1", port, Optional.empty(), false, 64);
    }

    /// The same at another address; `0.0.0.0` for all of this machine. One that others can reach takes a
    /// [#token(String)], or [#forAnybody()].
    public CacheServerOptions host(String other) {
        return new CacheServerOptions(other, port, token, anybody, atOnce);
    }

    /// The same for those that carry `required`.
    public CacheServerOptions token(String required) {
        return new CacheServerOptions(host, port, Optional.of(required), anybody, atOnce);
    }

    /// The same for other machines too, without a token: for networks where everybody may read the data.
    public CacheServerOptions forAnybody() {
        return new CacheServerOptions(host, port, token, true, atOnce);
    }

    /// The same with another number of pieces at once.
    public CacheServerOptions atOnce(int pieces) {
        return new CacheServerOptions(host, port, token, anybody, pieces);
    }

    /// Without the token.
    @Override
    public String toString() {
        return "CacheServerOptions[" + host + ":" + port + ", " + atOnce + " pieces at once]";
    }
}
