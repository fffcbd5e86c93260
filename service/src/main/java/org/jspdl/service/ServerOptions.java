package org.jspdl.service;

import java.time.Duration;
import java.util.Optional;

/// How a worker serves, and the limits of what it does for others. Immutable.
///
/// @param host       the address that it listens at
/// @param port       the port; 0 for any
/// @param token      what requests must carry; empty for none
/// @param anybody    whether other machines may ask without a token
/// @param atOnce     pieces that are made or sent at once
/// @param mostPlaces images of a piece
/// @param patience   how long a request waits for its turn before it is sent elsewhere
/// @param tls        what it shows to be trusted and to encrypt; empty for plain HTTP
public record ServerOptions(
        String host,
        int port,
        Optional<String> token,
        boolean anybody,
        int atOnce,
        int mostPlaces,
        Duration patience,
        Optional<ServerTls> tls) {
    private static final int MOST_PLACES = 65_536;

    /// Checks the numbers.
    public ServerOptions {
        inRange("port", port, 0, 65_535);
        inRange("atOnce", atOnce, 1, 65_536);
        inRange("mostPlaces", mostPlaces, 1, MOST_PLACES);
        if (token.isPresent() && token.get().isBlank()) {
            throw new IllegalArgumentException("a token must not be blank");
        }
    }

    /// The same without TLS.
    public ServerOptions(
            String host,
            int port,
            Optional<String> token,
            boolean anybody,
            int atOnce,
            int mostPlaces,
            Duration patience) {
        this(host, port, token, anybody, atOnce, mostPlaces, patience, Optional.empty());
    }

    private static void inRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be from " + least + " to " + most + " but was " + value);
        }
    }

    /// For this machine alone: two pieces at once for each processor, of at most 256 images.
    public static ServerOptions at(int port) {
        return new ServerOptions(
                "127.0.0.1",
                port,
                Optional.empty(),
                false,
                2 * Runtime.getRuntime().availableProcessors(),
                256,
                Duration.ofSeconds(2));
    }

    /// The same for those that carry `token`.
    public ServerOptions token(String required) {
        return new ServerOptions(host, port, Optional.of(required), anybody, atOnce, mostPlaces, patience, tls);
    }

    /// The same for other machines too, without a token: for networks where everybody may read the dataset.
    public ServerOptions forAnybody() {
        return new ServerOptions(host, port, token, true, atOnce, mostPlaces, patience, tls);
    }

    /// The same at another address; `0.0.0.0` for all of this machine. One that others can reach takes a
    /// [#token(String)], or [#forAnybody()].
    public ServerOptions host(String other) {
        return new ServerOptions(other, port, token, anybody, atOnce, mostPlaces, patience, tls);
    }

    /// The same with other limits.
    public ServerOptions limits(int newAtOnce, int newMostPlaces, Duration newPatience) {
        return new ServerOptions(host, port, token, anybody, newAtOnce, newMostPlaces, newPatience, tls);
    }

    /// The same with TLS: loaders ask `https://`. With [authorities of
    /// loaders][ServerTls#clients(java.nio.file.Path)] other machines need no token.
    public ServerOptions tls(ServerTls files) {
        return new ServerOptions(host, port, token, anybody, atOnce, mostPlaces, patience, Optional.of(files));
    }

    /// Without the token.
    @Override
    public String toString() {
        return "ServerOptions[" + host + ":" + port + ", " + atOnce + " pieces of at most " + mostPlaces + " at once]";
    }
}
