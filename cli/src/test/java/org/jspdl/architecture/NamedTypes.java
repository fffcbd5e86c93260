package org.jspdl.architecture;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The types that a document names in backticks, held against those that exist.
///
/// A name is taken for a type if it begins with `org.jspdl.`, or with a capital letter and has a small one, as in
/// `BufferPool` and `Run.close()`. It exists if it is a class or a package of ours, or a class of `java.base` or
/// `jdk.jfr`. File names, options and commands are no types.
final class NamedTypes {
    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern QUALIFIED = Pattern.compile("org\\.jspdl(?:\\.\\w+)+");
    private static final Pattern SIMPLE =
            Pattern.compile("(?<![\\w./$@-])[A-Z]\\w*[a-z]\\w*(?![\\w/*-]|\\.(?:md|java|xml))");

    private final Set<String> known = new HashSet<>();

    NamedTypes(List<ClassUse> ours) throws IOException {
        for (ClassUse type : ours) {
            String name = type.name().replace('$', '.');
            known.add(name);
            known.add(name.substring(name.lastIndexOf('.') + 1));
            for (String part = type.packageName(); part.contains("."); part = ClassUse.packageOf(part)) {
                known.add(part);
            }
        }
        for (String module : List.of("java.base", "jdk.jfr")) {
            addTypesOf(ModuleFinder.ofSystem().find(module).orElseThrow());
        }
    }

    /// The names in `markdown` that mean nothing, in order.
    List<String> unknownIn(String markdown) {
        List<String> unknown = new ArrayList<>();
        Matcher code = CODE.matcher(markdown);
        while (code.find()) {
            String text = code.group(1);
            addUnknown(QUALIFIED.matcher(text), unknown);
            addUnknown(SIMPLE.matcher(QUALIFIED.matcher(text).replaceAll("")), unknown);
        }
        return unknown;
    }

    private void addUnknown(Matcher names, List<String> unknown) {
        while (names.find()) {
            if (!known.contains(names.group())) {
                unknown.add(names.group());
            }
        }
    }

    private void addTypesOf(ModuleReference module) throws IOException {
        try (ModuleReader reader = module.open()) {
            reader.list()
                    .filter(file -> file.startsWith("java/") || file.startsWith("jdk/jfr/"))
                    .filter(file -> file.endsWith(".class"))
                    .map(file -> file.substring(file.lastIndexOf('/') + 1, file.length() - ".class".length()))
                    .map(name -> name.substring(name.lastIndexOf('$') + 1))
                    .forEach(known::add);
        }
    }
}
