package org.jspdl.service;

import java.net.URI;
import java.net.URISyntaxException;

/// A worker as a loader knows it. Guarded by the lock of its [Workers].
final class Worker {
    private static final long FIRST_REST = 50_000_000;
    private static final long LONGEST_REST = 2_000_000_000;

    final URI address;
    int inFlight;
    /// When it may be asked again, of [System#nanoTime].
    long restsUntil;
    /// When it may be asked if nobody else can be.
    long spareFrom;
    /// Failures since it last answered.
    int failures;
    /// What it did when it was last asked in vain; empty if it never was.
    String trouble = "";

    Worker(URI address, long now) {
        this.address = address;
        this.restsUntil = now;
        this.spareFrom = now;
    }

    /// It did nothing good.
    ///
    /// @param atLeast nanoseconds for which it is left alone, even if nobody else can be asked
    void failed(String what, long atLeast) {
        long now = System.nanoTime();
        trouble = what;
        restsUntil = now + Math.max(atLeast, nextRest());
        spareFrom = now + Math.max(atLeast, FIRST_REST);
        failures++;
    }

    /// Reads an address such as `http://decoder-3:8080`.
    ///
    /// @throws IllegalArgumentException if it is none
    static URI address(String text) {
        try {
            URI address = new URI(text);
            boolean isBare = address.getRawUserInfo() == null
                    && address.getRawQuery() == null
                    && address.getRawFragment() == null
                    && (address.getRawPath() == null
                            || address.getRawPath().replace("/", "").isEmpty());
            if (isBare
                    && address.getHost() != null
                    && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()))) {
                return address;
            }
        } catch (URISyntaxException malformed) {
            // refused below
        }
        throw new IllegalArgumentException(
                "a worker's address is as http://decoder-3:8080, without a path, but was '" + text + "'");
    }

    private long nextRest() {
        return Math.min(LONGEST_REST, FIRST_REST << Math.min(failures, 10));
    }
}
