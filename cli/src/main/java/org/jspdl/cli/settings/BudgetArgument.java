package org.jspdl.cli.settings;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.pipeline.TuningBudget;

/// What `--budget` says: `4cores,2GB`, or one of the two.
public final class BudgetArgument {
    private static final Pattern CORES = Pattern.compile("([0-9]{1,4}) ?cores?");
    private static final Pattern MEMORY = Pattern.compile("([0-9]{1,12}[KMGT])i?B?", Pattern.CASE_INSENSITIVE);
    /// Less than the program itself takes.
    private static final long LEAST_BYTES = 32L << 20;

    private BudgetArgument() {}

    /// What tuning may use; empty if it was not said.
    public static Optional<TuningBudget> of(CommandLine line) throws UsageException {
        Optional<String> given = line.text("--budget");
        return given.isEmpty() ? Optional.empty() : Optional.of(parsed(given.get()));
    }

    /// What `given` says.
    public static TuningBudget parsed(String given) throws UsageException {
        TuningBudget budget = TuningBudget.MACHINE;
        for (String part : given.split(",", -1)) {
            Matcher cores = CORES.matcher(part.strip());
            Matcher memory = MEMORY.matcher(part.strip());
            if (cores.matches() && budget.processors().isEmpty() && Integer.parseInt(cores.group(1)) > 0) {
                budget = budget.processors(Integer.parseInt(cores.group(1)));
            } else if (memory.matches() && budget.memoryBytes().isEmpty()) {
                long bytes = CacheArguments.bytes("--budget", memory.group(1));
                if (bytes < LEAST_BYTES) {
                    throw new UsageException("--budget: the program itself takes more memory than '" + part.strip()
                            + "'; with batches it needs 100 MB and more");
                }
                budget = budget.memoryBytes(bytes);
            } else {
                throw new UsageException(
                        "--budget must be cores, memory or both, such as 4cores,2GB, but was '" + given + "'");
            }
        }
        return budget;
    }
}
