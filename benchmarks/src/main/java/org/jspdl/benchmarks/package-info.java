/// Benchmarks of single mechanisms. Whole commands are measured by `benchmarks/run`.
@org.jspecify.annotations.NullMarked
package org.jspdl.benchmarks;
