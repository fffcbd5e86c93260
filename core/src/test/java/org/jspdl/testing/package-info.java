/// What tests of every module share: what they need of the machine, and how they run its programs.
@org.jspecify.annotations.NullMarked
package org.jspdl.testing;
