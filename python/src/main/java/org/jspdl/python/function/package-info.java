/// Functions of the trainer's program that are called for samples before they are batched, in helper processes. Read
/// [org.jspdl.python.function.PythonFunctions] first.
package org.jspdl.python.function;
