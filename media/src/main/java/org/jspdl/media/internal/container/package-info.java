/// What containers say of themselves, followed as their bytes pass by: packets that are lost, and where a file should
/// end. Begin with [ClaimedEnd].
@org.jspecify.annotations.NullMarked
package org.jspdl.media.internal.container;
