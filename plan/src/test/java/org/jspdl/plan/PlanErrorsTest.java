package org.jspdl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Every kind of mistake, with its exact message and place.
class PlanErrorsTest {

    static Arguments[] mistakes() {
        return new Arguments[] {
            mistake("a text instead of a plan", "hello", "1:1: a plan must be a map but was the text 'hello'"),
            mistake("nothing", "", "1:1: a plan must be a map but was nothing"),
            mistake("no source", "name: a\nsteps: []", "1:1: a 'source' is missing"),
            mistake(
                    "a field that plans don't have",
                    "source: {range: {size: 3}}\nepoch: 2",
                    "2:1: a plan has no 'epoch'; did you mean 'epochs'?"),
            mistake(
                    "a source that isn't there",
                    "source: {rang: {size: 3}}",
                    "1:10: there is no operation 'rang'; did you mean 'range'?"),
            mistake(
                    "a source that is like none",
                    "source: photographs",
                    "1:9: there is no operation 'photographs'; there are broken, held, in-turns-of, jitter, later,"
                            + " later-parity, later-twice, lines, multiples, packs, parity, range, refuse, running-sum, spell, sum, times, twice, values, windows"),
            mistake(
                    "two sources",
                    "source: {range: {size: 3}, lines: {path: a}}",
                    "1:9: the source must be one operation, but was a map of 2: 'range', 'lines'"),
            mistake(
                    "a budget that is no number of bytes",
                    "source: {range: {size: 3}}\nmemory-budget: 5 pounds",
                    "2:16: 'memory-budget' must be a number of bytes such as 200kB, 512MiB or 2GiB but was the text '5 pounds'"),
            mistake(
                    "a tuning budget without memory to use",
                    "source: {range: {size: 3}}\ntuning-budget: {memory: 0}",
                    "2:25: 'memory' must be a number of bytes such as 200kB, 512MiB or 2GiB but was 0"),
            mistake(
                    "a budget without bytes",
                    "source: {range: {size: 3}}\nmemory-budget: {item: 5kB}",
                    "2:1: 'memory-budget' needs 'bytes', a number of bytes such as 200kB, 512MiB or 2GiB"),
            mistake(
                    "an item larger than the budget",
                    "source: {range: {size: 3}}\nmemory-budget: {bytes: 1kB, item: 5kB}",
                    "2:35: one item of 5000 bytes does not fit a budget of 1000"),
            mistake(
                    "an asynchronous step without a stage",
                    step("{later: {by: 1}}"),
                    "3:6: 'later' needs a stage of its own: add 'async'"),
            mistake(
                    "an asynchronous step on threads",
                    step("{later: {by: 1}, io: 4}"),
                    "3:22: 'later' runs on the threads of its client; write 'async' instead of 'io'"),
            mistake(
                    "a step without threads",
                    step("{parity: {}, async: 4}"),
                    "3:18: 'parity' needs threads; write 'cpu', 'io' or 'dedicated' instead of 'async'"),
            mistake("a list as the source", "source: [1]", "1:9: the source must be one operation, but was a list"),
            mistake(
                    "a step as the source",
                    "source: {times: {by: 2}}",
                    "1:10: 'times' is a step and cannot be the source"),
            mistake(
                    "steps that are no list",
                    "source: {range: {size: 3}}\nsteps: 4",
                    "2:8: 'steps' must be a list but was 4"),
            mistake("a step that is a number", step("4"), "3:5: a step must be a map but was 4"),
            mistake(
                    "an operation that isn't there",
                    step("{tmies: {by: 2}}"),
                    "3:6: there is no operation 'tmies'; did you mean 'times'?"),
            mistake(
                    "a step without an operation",
                    step("{cpu: 4}"),
                    "3:5: a step must name an operation, but this has none"),
            mistake(
                    "two operations in a step",
                    step("{parity: {}, spell: {}, cpu: 1}"),
                    "3:18: a step has one operation, here 'parity', and no 'spell' beside it; its settings are async,"
                            + " buffer, cpu, deadline, dedicated, defer, failure, io, name, order, priority"),
            mistake(
                    "a misspelt setting",
                    step("{parity: {}, cpu: 1, ordr: input}"),
                    "3:26: a step has one operation, here 'parity', and no 'ordr' beside it; did you mean 'order'?"),
            mistake(
                    "a policy of a merge as a step",
                    step("{in-turns-of: {size: 3}}"),
                    "3:6: 'in-turns-of' is the policy of a merge and cannot be a step"),
            mistake(
                    "a key that comes later without a stage",
                    step("{route: {by: later-parity, when: {odd: []}}}"),
                    "3:18: 'later-parity' gives its keys later; add 'async' beside 'route'"),
            mistake(
                    "a key that is there at once with a stage",
                    step("{route: {by: parity, when: {odd: []}}, async: 2}"),
                    "3:18: 'parity' gives its keys at once; remove 'async'"),
            mistake("a source as a step", step("{range: {size: 3}}"), "3:6: 'range' is a source and cannot be a step"),
            mistake(
                    "a parameter that isn't there",
                    step("{times: {by: 2, bye: 3}}"),
                    "3:21: 'times' has no parameter 'bye'; did you mean 'by'?"),
            mistake(
                    "a parameter where there are none",
                    step("{parity: {of: 2}}"),
                    "3:15: 'parity' has no parameter 'of'; it has none"),
            mistake(
                    "a missing parameter",
                    step("times"),
                    "3:5: 'times' needs 'by', a whole number from -1,000 to 1,000"),
            mistake(
                    "parameters that are no map",
                    step("{times: 2}"),
                    "3:13: what 'times' is given must be a map but was 2"),
            mistake(
                    "a number out of range",
                    step("{times: {by: 2000}}"),
                    "3:18: 'by' must be a whole number from -1,000 to 1,000 but was 2000"),
            mistake(
                    "a text for a number",
                    step("{times: {by: two}}"),
                    "3:18: 'by' must be a whole number from -1,000 to 1,000 but was the text 'two'"),
            mistake(
                    "a fraction for a whole number",
                    step("{times: {by: 2.5}}"),
                    "3:18: 'by' must be a whole number from -1,000 to 1,000 but was 2.5"),
            mistake(
                    "a number for a share",
                    step("{jitter: {share: 1.5}, cpu: 1}"),
                    "3:22: 'share' must be a number from 0.0 to 1.0 but was 1.5"),
            mistake(
                    "a text for a flag",
                    step("{jitter: {loud: yes}, cpu: 1}"),
                    "3:21: 'loud' must be true or false but was the text 'yes'"),
            mistake(
                    "a choice that isn't there",
                    step("{spell: {style: BOLD}}"),
                    "3:21: 'style' must be one of plain, in-brackets but was the text 'BOLD'"),
            mistake(
                    "a list of the wrong things",
                    "source: {values: {values: [a, 2]}}",
                    "1:27: 'values' must be a list, each element a text but was a list"),
            mistake(
                    "steps that don't fit",
                    step("spell") + "\n  - {times: {by: 2}}",
                    "4:6: 'times' takes Long but gets String from 'spell'"),
            mistake(
                    "a step that doesn't fit the source",
                    "source: {lines: {path: a}}\nsteps:\n  - parity",
                    "3:5: 'parity' takes Long but gets String from 'lines'"),
            mistake(
                    "items where batches are wanted",
                    step("sum"),
                    "3:5: 'sum' takes List<Long> but gets Long from 'range'"),
            mistake(
                    "batches where items are wanted",
                    step("batch: 4") + "\n  - parity",
                    "4:5: 'parity' takes Long but gets List<Long> from 'batch'"),
            mistake(
                    "unbatching what is no batch",
                    step("unbatch"),
                    "3:5: 'unbatch' takes an Iterable but gets Long from 'range'"),
            mistake(
                    "unbatching with parameters",
                    step("batch: 4") + "\n  - unbatch: {size: 4}",
                    "4:14: 'unbatch' is given nothing, but was a map with 'size'"),
            mistake(
                    "no workers",
                    step("{parity: {}, cpu: 0}"),
                    "3:23: 'cpu' must be a whole number from 1 to 65,536, 'auto' or 'processors', but was 0"),
            mistake(
                    "a text as workers",
                    step("{parity: {}, io: many}"),
                    "3:22: 'io' must be a whole number from 1 to 65,536, 'auto' or 'processors', but was the text 'many'"),
            mistake(
                    "calls of a client that nobody can choose",
                    step("{later-twice: {}, async: auto}"),
                    "3:30: 'async' must be a whole number from 1 to 65,536, or 'processors', but was the text 'auto'"),
            mistake(
                    "several threads for a dedicated step",
                    step("{parity: {}, dedicated: 4}"),
                    "3:29: 'dedicated' must be true, or left out, but was 4"),
            mistake(
                    "two kinds of threads",
                    step("{parity: {}, cpu: 4, io: 8}"),
                    "3:26: a step runs in one place, here 'cpu', and not also 'io'"),
            mistake(
                    "an order without a stage",
                    step("{parity: {}, order: input}"),
                    "3:18: 'order' needs a stage of its own: add 'cpu', 'io' or 'dedicated'"),
            mistake(
                    "an order that isn't there",
                    step("{parity: {}, cpu: 1, order: sorted}"),
                    "3:33: 'order' must be one of completion, input but was the text 'sorted'"),
            mistake(
                    "no buffer",
                    step("{parity: {}, cpu: 1, buffer: 0}"),
                    "3:34: 'buffer' must be a whole number from 1 to 1,000,000, or 'auto', but was 0"),
            mistake(
                    "a priority beyond all others",
                    step("{parity: {}, cpu: 1, priority: 1001}"),
                    "3:36: 'priority' must be a whole number from -1,000 to 1,000 but was 1001"),
            mistake(
                    "a priority of threads that are not shared",
                    step("{parity: {}, io: 1, priority: 3}"),
                    "3:25: only steps with 'cpu' share threads and can have a 'priority'"),
            mistake(
                    "a time without a unit",
                    step("{parity: {}, cpu: 1, deadline: 3}"),
                    "3:36: 'deadline' must be a time such as 250ms, 10s or 5m, above 0 but was 3"),
            mistake(
                    "a name without a stage",
                    step("{parity: {}, name: a}"),
                    "3:18: 'parity' is run by the step before it, so it has no name of its own"),
            mistake(
                    "a seeded step without a stage",
                    step("jitter"),
                    "3:5: 'jitter' needs a stage of its own: add 'cpu', 'io' or 'dedicated'"),
            mistake(
                    "a filter in a stage",
                    step("{multiples: {by: 2}, cpu: 2}"),
                    "3:26: 'multiples' is run by the step before it; remove 'cpu'"),
            mistake(
                    "a gatherer in a stage",
                    step("{windows: {size: 2}, io: 2}"),
                    "3:26: 'windows' has a thread of its own; remove 'io'"),
            mistake(
                    "an empty batch",
                    step("batch: 0"),
                    "3:12: 'batch' must be a whole number from 1 to 16,777,216 but was 0"),
            mistake(
                    "a batch without a size",
                    step("batch: {drop-last: true}"),
                    "3:5: 'batch' needs 'batch-size', a whole number from 1 to 16,777,216"),
            mistake(
                    "a text for dropping the last batch",
                    step("batch: {batch-size: 4, drop-last: drop}"),
                    "3:39: 'drop-last' must be true or false but was the text 'drop'"),
            mistake(
                    "a setting that batches don't have",
                    step("{batch: 4, cpu: 2}"),
                    "3:16: 'batch' has no setting 'cpu'"),
            mistake(
                    "a failure rule that isn't there",
                    step("{parity: {}, cpu: 1, failure: ignore}"),
                    "3:35: 'failure' must be fail-fast, or a map with max-failures, max-failure-rate or max-attempts, but was the text 'ignore'"),
            mistake(
                    "a rate above 1",
                    step("{parity: {}, cpu: 1, failure: {max-failure-rate: 5}}"),
                    "3:54: 'max-failure-rate' must be a number above 0 and at most 1 but was 5"),
            mistake(
                    "two failure rules",
                    step("{parity: {}, cpu: 1, failure: {max-failures: 5, max-failure-rate: 0.5}}"),
                    "3:53: 'failure' has either 'max-failures' or 'max-failure-rate', not both"),
            mistake(
                    "calls before a rate that is not given",
                    step("{parity: {}, cpu: 1, failure: {max-failures: 5, min-calls: 5}}"),
                    "3:53: 'min-calls' belongs to 'max-failure-rate'"),
            mistake(
                    "a backoff of nothing",
                    step("{parity: {}, cpu: 1, failure: {backoff: 5s}}"),
                    "3:36: 'backoff' belongs to 'max-attempts'"),
            mistake(
                    "no epochs",
                    "source: {range: {size: 3}}\nepochs: 0",
                    "2:9: 'epochs' must be a whole number of at least 1 but was 0"),
            mistake(
                    "no compute threads",
                    "source: {range: {size: 3}}\ncompute-threads: 0",
                    "2:18: 'compute-threads' must be a whole number from 1 to 4,096 but was 0"),
            mistake(
                    "no prefetch",
                    "source: {range: {size: 3}}\nprefetch: 0",
                    "2:11: 'prefetch' must be a whole number from 1 to 1,000,000 but was 0"),
            mistake(
                    "a number too large for any",
                    "source: {range: {size: 99999999999999999999}}",
                    "1:24: '99999999999999999999' lies beyond the whole numbers of 64 bits"),
            mistake(
                    "a route without a key",
                    step("route: {when: {a: []}}"),
                    "3:5: 'route' needs 'by', the operation that gives the key"),
            mistake(
                    "a route without branches",
                    step("route: {by: parity}"),
                    "3:5: 'route' needs 'when', a map from at least one key to its steps"),
            mistake(
                    "a route by no function",
                    step("route: {by: {multiples: {by: 2}}, when: {a: []}}"),
                    "3:18: a route needs a function for its keys, and 'multiples' is none"),
            mistake(
                    "branches of different types",
                    step("route: {by: parity, when: {even: [], odd: [spell]}}"),
                    "3:5: the branches of 'route' yield different types: Long from 'even', String from 'odd'"),
            mistake(
                    "a mistake within a branch",
                    step("route: {by: parity, when: {even: [], odd: [tmies]}}"),
                    "3:48: there is no operation 'tmies'; did you mean 'times'?"),
            mistake(
                    "elements of what is no list",
                    step("route-elements: {by: parity, when: {even: []}}"),
                    "3:5: 'route-elements' takes a List but gets Long from 'range'"),
            mistake(
                    "a branch of elements that isn't one-to-one",
                    step("batch: 4") + "\n  - route-elements: {by: parity, when: {even: [{twice: {}, cpu: 1}]}}",
                    "4:49: 'twice' cannot be in a route of elements, where each step makes one of one"),
            mistake(
                    "a merge of nothing",
                    "source: {merge: {of: []}}",
                    "1:9: 'merge' needs 'of', a list of at least one flow"),
            mistake(
                    "a merge of different types",
                    "source: {merge: {of: [{source: {range: {size: 3}}}, {source: {lines: {path: a}}}]}}",
                    "1:10: the parts of 'merge' yield different types: Long from number 1, String from number 2"),
            mistake(
                    "a mistake within a merge",
                    "source: {merge: {of: [{source: {rnage: {size: 3}}}]}}",
                    "1:33: there is no operation 'rnage'; did you mean 'range'?"),
            mistake(
                    "too few weights",
                    "source: {mix: {weights: [1, 2], of: [{source: {range: {size: 3}}}]}}",
                    "1:25: 'weights' must be one for each of the 1 flows, and one above 0, but were [1.0, 2.0]"),
            mistake(
                    "too few weights in a schedule",
                    "source: {mix: {schedule: [{from: 5, weights: [1, 2]}], of: [{source: {range: {size: 3}}}]}}",
                    "1:46: 'weights' must be one for each of the 1 flows, and one above 0, but were [1.0, 2.0]"),
            mistake(
                    "changes of weights out of order",
                    "source: {mix: {schedule: [{from: 5, weights: [1]}, {from: 5, weights: [1]}], of: [{source: {range: {size: 3}}}]}}",
                    "1:52: a change of weights must be behind item 5, the last one, but was at 5"),
            mistake(
                    "a change of weights from nowhere",
                    "source: {mix: {schedule: [{weights: [1]}], of: [{source: {range: {size: 3}}}]}}",
                    "1:27: a change of weights needs 'from', an item, and 'weights'"),
            mistake(
                    "a flow that is no map",
                    "source: {merge: {of: [a]}}",
                    "1:23: a flow must be a map but was the text 'a'"),
            mistake(
                    "branches that are no map",
                    step("route: {by: parity, when: [a]}"),
                    "3:31: 'when' must be a map but was a list"),
            mistake(
                    "a name given twice",
                    "source: {range: {size: 3}}\nname: a\nname: b",
                    "3:1: 'name' is here twice; the first is in line 2"),
        };
    }

    private static Arguments mistake(String what, String text, String expected) {
        return Arguments.argumentSet(what, text, expected);
    }

    private static String step(String step) {
        return "source: {range: {size: 3}}\nsteps:\n  - " + step;
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsNamedAtItsPlaceAndNothingElseIs(String text, String expected) {
        String message = messageFor(text);

        assertThat(message.lines().findFirst()).contains("plan.yaml:" + expected);
        assertThat(message.lines().filter(line -> line.startsWith("plan.yaml:")))
                .hasSize(1);
    }

    private static String messageFor(String text) {
        Throwable failure = catchThrowable(() -> Plan.of("plan.yaml", text).check(TestOperations.known()));
        assertThat(failure).isInstanceOf(PlanException.class);
        return String.valueOf(failure.getMessage());
    }

    static Arguments[] formerWords() {
        return new Arguments[] {
            Arguments.of("source: {range: {size: 3}}\nsink: 1", "2:1: a plan has no 'sink'; did you mean 'prefetch'?"),
            Arguments.of(step("batch: {batch-size: 2, remainder: drop}"), "no 'remainder'; did you mean 'drop-last'?"),
            Arguments.of(step("batch: {batch-size: 2, size: 2}"), "no 'size'; did you mean 'batch-size'?"),
            Arguments.of(failure("skip: 1"), "no 'skip'; did you mean 'max-failures'?"),
            Arguments.of(failure("skip-rate: 0.1"), "no 'skip-rate'; did you mean 'max-failure-rate'?"),
            Arguments.of(failure("max-failure-rate: 0.1, probation: 3"), "no 'probation'; did you mean 'min-calls'?"),
            Arguments.of(failure("retry: 2"), "no 'retry'; did you mean 'max-attempts'?"),
            Arguments.of(
                    "source: {round-robin: {end: first-exhausted, of: [{source: {range: {size: 3}}}]}}",
                    "no 'end'; did you mean 'stopping-strategy'?"),
        };
    }

    private static String failure(String rule) {
        return step("{parity: {}, cpu: 1, failure: {" + rule + "}}");
    }

    @ParameterizedTest
    @MethodSource("formerWords")
    void aFormerWordIsRefusedWithTheWordOfToday(String text, String expected) {
        assertThat(messageFor(text).lines().filter(line -> line.startsWith("plan.yaml:")))
                .singleElement()
                .asString()
                .endsWith(expected);
    }

    @Test
    void allMistakesAreShownAtOnceInTheOrderOfThePlanEachWithItsLineAndACaret() {
        String text = """
                name: numbers
                source:
                  range: {size: -1}
                steps:
                  - tmies: {by: 2}
                  - batch: 4
                    cpu: 2
                  - parity
                    # the cpu of this one is wrong
                  - {spell: {}, cpu: 0}
                epochs: none
                """;

        assertThat(messageFor(text)).isEqualToNormalizingNewlines("""
                plan.yaml:3:17: 'size' must be a whole number of at least 0 but was -1
                    3 |   range: {size: -1}
                      |                 ^
                plan.yaml:5:5: there is no operation 'tmies'; did you mean 'times'?
                    5 |   - tmies: {by: 2}
                      |     ^
                plan.yaml:7:5: 'batch' has no setting 'cpu'
                    7 |     cpu: 2
                      |     ^
                plan.yaml:10:6: 'spell' takes Long but gets String from 'parity'
                   10 |   - {spell: {}, cpu: 0}
                      |      ^
                plan.yaml:10:22: 'cpu' must be a whole number from 1 to 65,536, 'auto' or 'processors', but was 0
                   10 |   - {spell: {}, cpu: 0}
                      |                      ^
                plan.yaml:11:9: 'epochs' must be a whole number of at least 1 but was the text 'none'
                   11 | epochs: none
                      |         ^""");
    }

    @Test
    void jsonHasTheSameErrorsAtItsOwnPlacesAlsoBehindTabs() {
        String text = "{\n\t\"source\": {\"range\": {\"size\": 3}},\n\t\"steps\": [{\"times\": {\"by\": \"x\"}}]\n}";

        assertThatThrownBy(() -> Plan.of("plan.json", text).check(TestOperations.known()))
                .hasMessageStartingWith(
                        "plan.json:3:29: 'by' must be a whole number from -1,000 to 1,000 but was the text 'x'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"source\": {}, }      | plan.json:1:16: not valid JSON: expected a name in quotes but found '}'",
                "{\"a\": NaN}            | plan.json:1:7: not valid JSON: expected a value but found 'N'",
                "{\"\uD83D\uDE00\": tru}  | plan.json:1:7: not valid JSON: expected true but found 't'",
                "{\"a\": 1, \"a\": 2}     | plan.json:1:10: not valid JSON: the name 'a' is there twice",
                "{\"a\": 9223372036854775808} | plan.json:1:7: '9223372036854775808' lies beyond the whole numbers",
                "source: {}             | plan.json:1:1: not valid JSON: expected a value but found 's'",
            })
    void jsonIsReadAsJsonAndNotAsYaml(String text, String message) {
        assertThatThrownBy(() -> Plan.of("plan.json", text).check(TestOperations.known()))
                .hasMessageStartingWith(message);
    }

    @Test
    void whatAnOperationCannotOpenIsShownAtItsPlace() {
        Plan text = Plan.of("plan.yaml", step("held") + "\n  - {broken: {}, cpu: 1}");
        TestOperations operations = new TestOperations();

        assertThatThrownBy(() -> text.compile(operations.withStandard(), PlanContext.in(Path.of(""))))
                .isInstanceOf(PlanException.class)
                .hasMessageStartingWith("plan.yaml:4:6: there is no table for this machine");
        assertThat(operations.opened()).isZero();
    }
}
