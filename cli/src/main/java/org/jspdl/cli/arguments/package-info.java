/// Command lines: which options a command has, what was given, and the help that describes them.
///
/// Written by hand because start-up time is part of the product; see `docs/design` for the measurement. Knows no
/// command. Read [CommandLine] first.
package org.jspdl.cli.arguments;
