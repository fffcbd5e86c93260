/// The behaviors that SPDL's own pipeline tests check, where no other test here shows them.
@NullMarked
package org.jspdl.pipeline.parity;

import org.jspecify.annotations.NullMarked;
