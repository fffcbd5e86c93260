package org.jspdl.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Turns the signal that asks the process to end (Ctrl-C) into an interrupt of the thread that does the work.
///
/// The process ends when that thread has finished its report, or after a grace period. The Java runtime sets the exit
/// code (130 or 143), unless the work was to go on until a signal, and says that it ended as it should.
final class Interruption {
    private static final long GRACE_SECONDS = 10;

    private final Thread worker;
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile boolean endsWell;

    private Interruption(Thread worker) {
        this.worker = worker;
    }

    /// Watches on behalf of the calling thread.
    static Interruption ofThisProcess() {
        Interruption interruption = new Interruption(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(new Thread(interruption::interrupt, "jspdl-interruption"));
        return interruption;
    }

    /// Says that the work is done: the process may end at any moment.
    ///
    /// @param orderly whether a signal is the usual end of this work, so that the process ends with 0
    void finished(boolean orderly) {
        endsWell = orderly;
        finished.countDown();
    }

    private void interrupt() {
        if (finished.getCount() == 0) {
            return;
        }
        worker.interrupt();
        try {
            if (!finished.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("jspdl: the work did not end within " + GRACE_SECONDS + " s of the interrupt");
            } else if (endsWell) {
                System.out.flush();
                System.err.flush();
                Runtime.getRuntime().halt(0); // exit() waits for this thread, and the code of a signal is another
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
