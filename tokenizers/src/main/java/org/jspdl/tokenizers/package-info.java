/// Tokenizers of the Hugging Face library behind [org.jspdl.data.text.Tokenizer].
@org.jspecify.annotations.NullMarked
package org.jspdl.tokenizers;
