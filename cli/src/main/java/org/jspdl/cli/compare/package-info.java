/// What PyTorch's DataLoader does on the same data, for `jspdl run --compare`.
///
/// Here: the call of the reader's Python, and its answer. Not here: the run it is compared with. Read
/// [DataLoaderRun] first.
package org.jspdl.cli.compare;
