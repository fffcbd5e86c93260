package org.jspdl.data.cache;

import java.net.URI;
import java.time.Duration;

/// Another machine, as one that asks it knows it: whoever fails is left alone for a while, longer each time, and then
/// asked by one thread alone until it answers. Thread-safe.
final class Peer {
    private static final long FIRST_REST = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_REST = Duration.ofSeconds(60).toNanos();

    private final URI address;
    private int failures;
    private long restsUntil;
    private boolean isTried;
    private boolean isTold;

    Peer(URI address) {
        this.address = address;
    }

    URI address() {
        return address;
    }

    /// Whether it may be asked now, of [System#nanoTime]; whoever does says how it went.
    synchronized boolean take(long now) {
        if (failures == 0) {
            return true;
        }
        if (isTried || now - restsUntil < 0) {
            return false;
        }
        isTried = true;
        return true;
    }

    /// Whether it may be asked soon.
    synchronized boolean isAwake(long now) {
        return failures == 0 || (!isTried && now - restsUntil >= 0);
    }

    synchronized void answered() {
        failures = 0;
        isTried = false;
    }

    /// It was not asked to the end, which says nothing of it.
    synchronized void gaveUp() {
        isTried = false;
    }

    synchronized void failed(long now) {
        restsUntil = now + Math.min(LONGEST_REST, FIRST_REST << Math.min(failures, 10));
        failures++;
        isTried = false;
    }

    /// It does what peers must not.
    ///
    /// @return whether that was not known of it
    synchronized boolean lied(long now) {
        failures++;
        restsUntil = now + LONGEST_REST;
        isTried = false;
        boolean isNew = !isTold;
        isTold = true;
        return isNew;
    }
}
