package org.jspdl.architecture;

import java.io.IOException;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What programs can name of a compiled module: the public and protected parts of its exported packages, a line for
/// each type, each of its supertypes and each member, erased as in class files.
final class ApiSignature {
    /// The end of a line about something deprecated.
    static final String DEPRECATED = " @Deprecated";
    /// Begins, behind the type's name, a line about a method that everybody who extends the type has to write.
    static final String TO_BE_WRITTEN = ": abstract ";

    private final Set<String> lines = new TreeSet<>();

    private ApiSignature() {}

    /// The lines, sorted.
    ///
    /// @param classes the folder that the module was compiled to
    static Set<String> of(Path classes) throws IOException {
        ApiSignature signature = new ApiSignature();
        List<String> exported = exported(classes);
        for (String folder : exported) {
            try (Stream<Path> files = Files.list(classes.resolve(folder))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".class")).toList()) {
                    signature.add(ClassFile.of().parse(file));
                }
            }
        }
        return signature.lines;
    }

    /// The exported packages as folders; of what is no module of its own, all that are not internal.
    private static List<String> exported(Path classes) throws IOException {
        Path module = classes.resolve("module-info.class");
        if (Files.exists(module)) {
            return ClassFile.of().parse(module).findAttribute(Attributes.module()).orElseThrow().exports().stream()
                    .filter(exports -> exports.exportsTo().isEmpty())
                    .map(exports -> exports.exportedPackage().name().stringValue())
                    .toList();
        }
        try (Stream<Path> folders = Files.walk(classes.resolve("org"))) {
            return folders.filter(Files::isDirectory)
                    .map(folder -> classes.relativize(folder).toString())
                    .filter(folder -> !folder.contains("/internal"))
                    .toList();
        }
    }

    private void add(ClassModel type) {
        Set<AccessFlag> flags = flags(type);
        String name = type.thisClass().asInternalName().replace('/', '.');
        if (!isVisible(flags) || name.endsWith("package-info")) {
            return;
        }
        boolean closed = flags.contains(AccessFlag.FINAL)
                || type.findAttribute(Attributes.permittedSubclasses()).isPresent();
        lines.add(name + ": " + (closed ? "closed " : "") + kind(flags) + deprecated(type));
        Stream.concat(type.superclass().stream(), type.interfaces().stream())
                .map(parent -> shown(parent.asSymbol()))
                .filter(parent -> !Set.of("java.lang.Object", "java.lang.Record", "java.lang.Enum")
                        .contains(parent))
                .forEach(parent -> lines.add(name + ": is a " + parent));
        for (FieldModel field : type.fields()) {
            if (isVisible(field.flags().flags())) {
                lines.add(name + ": " + statically(field.flags().flags()) + shown(field.fieldTypeSymbol()) + " "
                        + field.fieldName() + deprecated(field));
            }
        }
        for (MethodModel method : type.methods()) {
            Set<AccessFlag> of = method.flags().flags();
            if (isVisible(of) && !of.contains(AccessFlag.SYNTHETIC)) {
                String open = of.contains(AccessFlag.ABSTRACT) && !closed ? "abstract " : "";
                lines.add(name + ": " + open + statically(of) + shown(method) + deprecated(method));
            }
        }
    }

    /// Of a nested type as its outer one says them, since its own never say protected or private.
    private static Set<AccessFlag> flags(ClassModel type) {
        return type.findAttribute(Attributes.innerClasses()).stream()
                .flatMap(nested -> nested.classes().stream())
                .filter(nested -> nested.innerClass().equals(type.thisClass()))
                .findFirst()
                .map(nested -> nested.flags())
                .orElse(type.flags().flags());
    }

    private static boolean isVisible(Set<AccessFlag> flags) {
        return flags.contains(AccessFlag.PUBLIC) || flags.contains(AccessFlag.PROTECTED);
    }

    private static String kind(Set<AccessFlag> flags) {
        if (flags.contains(AccessFlag.ANNOTATION)) {
            return "annotation";
        }
        if (flags.contains(AccessFlag.INTERFACE)) {
            return "interface";
        }
        return flags.contains(AccessFlag.ENUM) ? "enum" : "class";
    }

    private static String statically(Set<AccessFlag> flags) {
        return flags.contains(AccessFlag.STATIC) ? "static " : "";
    }

    private static String deprecated(AttributedElement element) {
        return element.findAttribute(Attributes.deprecated()).isPresent() ? DEPRECATED : "";
    }

    private static String shown(MethodModel method) {
        String parameters = method.methodTypeSymbol().parameterList().stream()
                .map(ApiSignature::shown)
                .collect(Collectors.joining(", "));
        return shown(method.methodTypeSymbol().returnType()) + " " + method.methodName() + "(" + parameters + ")";
    }

    private static String shown(ClassDesc type) {
        if (type.isArray()) {
            return shown(type.componentType()) + "[]";
        }
        return type.packageName().isEmpty() ? type.displayName() : type.packageName() + "." + type.displayName();
    }
}
