/// What was done to items in flight, and by whom: what stalls are explained by. For this module alone.
@org.jspecify.annotations.NullMarked
package org.jspdl.observe.history;
