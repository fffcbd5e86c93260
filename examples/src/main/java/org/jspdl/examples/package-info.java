/// Programs that show one thing each. The tests run every one of them.
@org.jspecify.annotations.NullMarked
package org.jspdl.examples;
