package org.jspdl.cli;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Runs programs one after the other, in the folder in which it was started: `CLASSES PROGRAM...`, each a name and
/// arguments, separated by spaces. Says on standard error which failed and why, and ends with 1 if one did.
final class ProgramsRunner {
    private ProgramsRunner() {}

    static void main(String[] arguments) throws Exception {
        List<String> programs = List.of(arguments).subList(1, arguments.length);
        int failed = 0;
        try (URLClassLoader classes = new URLClassLoader(
                new URL[] {Path.of(arguments[0]).toUri().toURL()}, ProgramsRunner.class.getClassLoader())) {
            for (String program : programs) {
                String[] words = program.split(" ", -1);
                try {
                    run(classes.loadClass(words[0]), Arrays.copyOfRange(words, 1, words.length));
                } catch (InvocationTargetException thrown) {
                    failed++;
                    System.err.println(words[0] + " failed:");
                    thrown.printStackTrace();
                }
            }
        }
        System.err.println(programs.size() - failed + " programs ran, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    /// As the launcher does: `main` may be an instance's, and may have no parameters.
    private static void run(Class<?> program, String[] arguments) throws Exception {
        Method main = Stream.of(program.getDeclaredMethods())
                .filter(method -> method.getName().equals("main"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(program + " has no main"));
        Constructor<?> constructor = program.getDeclaredConstructor();
        constructor.setAccessible(true);
        main.setAccessible(true);
        Object instance = Modifier.isStatic(main.getModifiers()) ? null : constructor.newInstance();
        main.invoke(instance, main.getParameterCount() == 0 ? new Object[0] : new Object[] {arguments});
    }
}
