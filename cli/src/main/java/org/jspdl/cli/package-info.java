/// The command-line program `jspdl`: which command was meant, and what its exit code is.
///
/// Each command is a small class; what it does lives in the packages below. Read [Main] first.
package org.jspdl.cli;
