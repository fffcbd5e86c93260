/// What all packages of this module share.
package org.jspdl.internal;
