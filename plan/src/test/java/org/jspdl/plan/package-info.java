@org.jspecify.annotations.NullMarked
package org.jspdl.plan;
