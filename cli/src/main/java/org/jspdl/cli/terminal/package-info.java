/// What a person sees: progress while something runs, tables and numbers after it.
///
/// Read [ProgressLine] first.
package org.jspdl.cli.terminal;
