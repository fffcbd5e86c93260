package org.jspdl.leakcheck;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Every live thread of this process whose name starts with a prefix, virtual threads included.
///
/// The JDK lists virtual threads only through `jdk.internal.vm`. Where that package is not exported to this class
/// (`--add-exports java.base/jdk.internal.vm=ALL-UNNAMED`, which our build gives to test JVMs), only platform threads
/// are seen.
final class LiveThreads {
    private LiveThreads() {}

    static List<Thread> named(String prefix) {
        return all().stream()
                .filter(thread -> thread.isAlive() && thread.getName().startsWith(prefix))
                .toList();
    }

    /// Whether virtual threads can be seen in this JVM.
    static boolean seesVirtualThreads() {
        try {
            containers("root");
            return true;
        } catch (ReflectiveOperationException notExported) {
            return false;
        }
    }

    private static List<Thread> all() {
        List<Thread> threads = new ArrayList<>(Thread.getAllStackTraces().keySet());
        if (seesVirtualThreads()) {
            try {
                addVirtualThreads(containers("root"), threads);
            } catch (ReflectiveOperationException failure) {
                throw new IllegalStateException("cannot list the virtual threads", failure);
            }
        }
        return threads;
    }

    private static void addVirtualThreads(Object container, List<Thread> threads) throws ReflectiveOperationException {
        for (Object thread : elements(container, "threads")) {
            if (thread instanceof Thread live && live.isVirtual()) {
                threads.add(live);
            }
        }
        for (Object child : elements(container, "children")) {
            addVirtualThreads(child, threads);
        }
    }

    private static Object containers(String method) throws ReflectiveOperationException {
        return Class.forName("jdk.internal.vm.ThreadContainers")
                .getMethod(method)
                .invoke(null);
    }

    private static List<?> elements(Object container, String method) throws ReflectiveOperationException {
        Object stream = Class.forName("jdk.internal.vm.ThreadContainer")
                .getMethod(method)
                .invoke(container);
        return ((Stream<?>) stream).toList();
    }
}
