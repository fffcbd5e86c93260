package org.jspdl.python;

import java.util.List;

/// Ends the process of a loader in which a thread of the loader dies of what nobody caught, such as want of memory
/// while a failure was being told. Trainers notice that a process has ended; for a thread they would wait forever.
final class LastResort {
    private static final List<String> OURS = List.of("jspdl-python-", "jspdl-function-");

    private LastResort() {}

    /// Watches all threads of this process.
    static void install() {
        Thread.setDefaultUncaughtExceptionHandler(LastResort::end);
    }

    private static void end(Thread thread, Throwable failure) {
        try {
            System.err.print("Exception in thread \"" + thread.getName() + "\" ");
            failure.printStackTrace();
        } finally {
            if (OURS.stream().anyMatch(thread.getName()::startsWith)) {
                Runtime.getRuntime().halt(1);
            }
        }
    }
}
