/// What is wrong with data that was read: the exception that every parser and decoder throws.
///
/// Not here: any format. Read [org.jspdl.input.FormatException] first.
package org.jspdl.input;
