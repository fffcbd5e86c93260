package org.jspdl.observe;

import java.util.List;

/// What a thread was doing when its stack was sampled.
public enum Activity {
    /// It computed, in Java or in native code.
    COMPUTING("computing"),
    /// It read, wrote or opened a file.
    FILES("waiting for files"),
    /// It waited for a socket.
    NETWORK("waiting for the network"),
    /// It slept by its own wish.
    SLEEPING("sleeping"),
    /// It waited for a lock, a queue, a permit or a future.
    WAITING("waiting for another thread");

    private static final List<String> FILE_CLASSES = List.of(
            "java.io.FileInputStream",
            "java.io.RandomAccessFile",
            "java.io.FileOutputStream",
            "java.io.UnixFileSystem",
            "sun.nio.ch.UnixFileDispatcherImpl",
            "sun.nio.ch.FileDispatcherImpl",
            "sun.nio.ch.FileChannelImpl",
            "sun.nio.ch.SimpleAsynchronousFileChannelImpl",
            "sun.nio.fs.");
    private static final List<String> NETWORK_CLASSES = List.of(
            "sun.nio.ch.Net",
            "sun.nio.ch.NioSocketImpl",
            "sun.nio.ch.SocketDispatcher",
            "sun.nio.ch.SocketChannelImpl",
            "java.net.",
            "jdk.internal.net.http.",
            "sun.security.ssl.");

    private final String label;

    Activity(String label) {
        this.label = label;
    }

    /// For a sentence: "decode was ... 90 % of the time".
    public String label() {
        return label;
    }

    /// What a stack with its innermost frame first means. Only the JDK's frames on top count, and of a waiting
    /// thread those below them too, since clients of the network wait on futures.
    static Activity of(Thread.State state, StackTraceElement[] stack) {
        boolean waits = false;
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            if (startsWithAny(type, NETWORK_CLASSES)) {
                return NETWORK;
            }
            if (startsWithAny(type, FILE_CLASSES)) {
                return FILES;
            }
            if (type.equals("java.util.concurrent.locks.LockSupport") || isWait(frame)) {
                waits = true;
            }
            if (type.equals("java.lang.Thread") && frame.getMethodName().startsWith("sleep")) {
                return SLEEPING;
            }
            if (!isOfTheJdk(type)) {
                break;
            }
        }
        return !waits && (state == Thread.State.RUNNABLE || state == Thread.State.NEW) ? COMPUTING : WAITING;
    }

    /// The innermost frame that is not the JDK's, for a message; empty if there is none.
    static String place(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (!isOfTheJdk(frame.getClassName())) {
                String type = frame.getClassName();
                return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
            }
        }
        return "";
    }

    private static boolean isWait(StackTraceElement frame) {
        return frame.getClassName().equals("java.lang.Object")
                && frame.getMethodName().startsWith("wait");
    }

    private static boolean isOfTheJdk(String type) {
        return type.startsWith("java.")
                || type.startsWith("jdk.")
                || type.startsWith("sun.")
                || type.startsWith("javax.");
    }

    private static boolean startsWithAny(String type, List<String> starts) {
        for (String start : starts) {
            if (type.startsWith(start)) {
                return true;
            }
        }
        return false;
    }
}
