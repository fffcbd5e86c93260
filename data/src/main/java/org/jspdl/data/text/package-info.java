/// Texts as tokens for language models: lines and documents, tokenizers, packing into sequences of one length.
///
/// Tokenizers that need a library are in modules of their own. Read [org.jspdl.data.text.Packing] first.
package org.jspdl.data.text;
