/// Texts outside the heap, and where their rows begin.
@org.jspecify.annotations.NullMarked
package org.jspdl.data.internal.text;
