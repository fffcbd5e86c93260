/// Searches for the best settings of a pipeline: which to try next, what each gave, and the table of all.
package org.jspdl.cli.tune;
