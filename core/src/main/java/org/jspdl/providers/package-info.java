/// What is installed: implementations of services, found on the class path.
package org.jspdl.providers;
