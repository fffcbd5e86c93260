/// What options of the command line mean: datasets, pictures, caches and access, as settings of a run.
///
/// Not here: how a command line is taken apart ([org.jspdl.cli.arguments]). Read [RunArguments] first.
package org.jspdl.cli.settings;
