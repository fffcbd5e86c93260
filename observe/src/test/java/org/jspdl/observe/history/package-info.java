@org.jspecify.annotations.NullMarked
package org.jspdl.observe.history;
