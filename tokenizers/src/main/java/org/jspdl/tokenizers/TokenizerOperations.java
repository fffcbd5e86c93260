package org.jspdl.tokenizers;

import java.io.IOException;
import java.util.List;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.TypeToken;

/// Hugging Face's tokenizers, for plans: `tokenize` is one, from a `tokenizer.json`.
public final class TokenizerOperations implements OperationProvider {
    private static final Parameter<String> FILE = Parameter.text("file");
    private static final Parameter<Boolean> SPECIAL_TOKENS =
            Parameter.flag("special-tokens").orElse(false);

    /// For `ServiceLoader`.
    public TokenizerOperations() {}

    @Override
    public List<Operation> operations() {
        return List.of(Operation.function(
                "tokenize",
                TypeToken.of(String.class),
                TypeToken.of(int[].class),
                TokenizerOperations::tokenize,
                FILE,
                SPECIAL_TOKENS));
    }

    private static StageFunction<String, int[]> tokenize(Arguments given) throws IOException {
        HuggingFaceTokenizer tokenizer = given.keep(HuggingFaceTokenizer.open(given.path(FILE)));
        return given.get(SPECIAL_TOKENS) ? tokenizer.withSpecialTokens()::encode : tokenizer::encode;
    }
}
