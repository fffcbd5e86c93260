package org.jspdl.plan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspdl.files.InputFile;
import org.jspdl.plan.internal.DiagnosticPrinter;
import org.jspdl.plan.internal.DocumentLimits;
import org.jspdl.plan.internal.DocumentReader;
import org.jspdl.plan.internal.JsonDocumentReader;
import org.jspdl.plan.internal.PlanError;
import org.jspdl.plan.internal.PlanErrorException;

/// A pipeline as data, written in YAML or JSON. Immutable.
///
/// ```java
/// Plan plan = Plan.read(Path.of("plan.yaml"));
/// try (CompiledPlan compiled = plan.compile(Operations.installed(), PlanContext.in(Path.of(".")));
///         Run<?> run = compiled.start()) {
///     for (Object item : run) use(item);
/// }
/// ```
///
/// JSON is read as the YAML that it is. A document is limited to 1 MiB, 64 levels and 100,000 values; an aliased value
/// counts each time. Tags are rejected.
public final class Plan {
    /// Finished items that may wait for the consumer, unless a plan says otherwise.
    public static final int DEFAULT_PREFETCH = 3;

    private final DocumentReader.Document document;
    private final DiagnosticPrinter printer;

    private Plan(DocumentReader.Document document, DiagnosticPrinter printer) {
        this.document = document;
        this.printer = printer;
    }

    /// The plan in `file`.
    ///
    /// @throws PlanException if the file is not YAML, or beyond a limit
    public static Plan read(Path file) throws IOException {
        byte[] bytes;
        try (InputStream input = InputFile.stream(file)) {
            bytes = input.readNBytes(DocumentLimits.SIZE + 1);
        }
        if (bytes.length > DocumentLimits.SIZE) {
            throw new PlanException(
                    String.format(
                            Locale.ROOT, "%s: the file has more than the %,d bytes allowed", file, DocumentLimits.SIZE),
                    null);
        }
        return of(file.toString(), decoded(file, bytes));
    }

    private static String decoded(Path file, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException failure) {
            throw new PlanException(file + ": the file is not text in UTF-8", failure);
        }
    }

    /// The plan in `text`. Messages call it `name`; if that ends in `.json`, the text is JSON, else YAML.
    ///
    /// @throws PlanException if the text is not JSON or YAML, or beyond a limit
    public static Plan of(String name, String text) {
        DiagnosticPrinter printer = new DiagnosticPrinter(name, text.lines().toList());
        try {
            return new Plan(
                    name.endsWith(".json") ? JsonDocumentReader.read(text) : DocumentReader.read(text), printer);
        } catch (PlanErrorException failure) {
            throw new PlanException(printer.print(List.of(failure.error())), failure);
        }
    }

    /// Checks the plan against `operations`. Nothing is opened or started.
    ///
    /// @throws PlanException that shows every error
    public void check(Operations operations) {
        checked(operations, Optional.empty());
    }

    /// Makes the plan's pipeline. Sources are opened as far as their operations do so, but no item is read.
    ///
    /// @return owned by the caller, who closes it after its runs
    /// @throws PlanException that shows every error, or what an operation could not open
    public CompiledPlan compile(Operations operations, PlanContext context) {
        Checked checked = checked(operations, context.rank());
        try {
            return CompiledPlan.of(checked.model, operations, checked.output, context);
        } catch (PlanErrorException failure) {
            throw new PlanException(printer.print(List.of(failure.error())), failure.getCause());
        }
    }

    private record Checked(PlanModel model, PlanChecker.Checked output) {}

    private Checked checked(Operations operations, Optional<PlanContext.Rank> rank) {
        List<PlanError> errors = new ArrayList<>(document.errors());
        PlanModel model = new PlanReader(errors).plan(document.root());
        CallResolver calls = new CallResolver(operations, errors, rank);
        PlanChecker.Checked output = new PlanChecker(calls, errors).plan(model);
        if (!errors.isEmpty()) {
            throw new PlanException(printer.print(errors), null);
        }
        return new Checked(model, output);
    }
}
