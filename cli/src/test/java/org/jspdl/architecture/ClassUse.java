package org.jspdl.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A compiled class of ours, and the classes of ours that its constant pool names: in code, signatures or annotations.
///
/// @param name    the binary name, such as `org.jspdl.memory.BufferPool$Block`
/// @param visible whether the class itself is public
/// @param used    binary names of other classes of ours
record ClassUse(String name, boolean visible, Set<String> used) {
    private static final Pattern OURS = Pattern.compile("org/jspdl/[\\w/$]*[A-Z][\\w$]*");

    String packageName() {
        return packageOf(name);
    }

    String outermost() {
        return outermost(name);
    }

    static String packageOf(String className) {
        return className.substring(0, className.lastIndexOf('.'));
    }

    static String outermost(String className) {
        int inner = className.indexOf('$');
        return inner < 0 ? className : className.substring(0, inner);
    }

    /// The classes of every module below `root` that has been compiled: `classes`, or `test-classes`.
    static List<ClassUse> compiledBelow(Path root, String kind) throws IOException {
        List<ClassUse> classes = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.sorted().toList()) {
                Path output = module.resolve("target/" + kind + "/org/jspdl");
                if (Files.isDirectory(output)) {
                    addAll(output, classes);
                }
            }
        }
        return classes;
    }

    private static void addAll(Path output, List<ClassUse> classes) throws IOException {
        try (Stream<Path> files = Files.walk(output)) {
            files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.toString().contains("jmh_generated"))
                    .map(ClassUse::read)
                    .forEach(classes::add);
        }
    }

    private static ClassUse read(Path file) {
        try {
            ClassModel model = ClassFile.of().parse(file);
            String name = model.thisClass().asInternalName().replace('/', '.');
            Set<String> used = new TreeSet<>();
            for (PoolEntry entry : model.constantPool()) {
                if (entry instanceof Utf8Entry text) {
                    Matcher matcher = OURS.matcher(text.stringValue());
                    while (matcher.find()) {
                        used.add(matcher.group().replace('/', '.'));
                    }
                }
            }
            used.remove(name);
            return new ClassUse(name, model.flags().has(java.lang.reflect.AccessFlag.PUBLIC), used);
        } catch (IOException failure) {
            throw new UncheckedIOException(file.toString(), failure);
        }
    }
}
