/// What is wrong with data that was read: the family of exceptions that parsers and decoders throw.
///
/// Not here: any format. Read [org.jspdl.input.InputException] first.
package org.jspdl.input;
