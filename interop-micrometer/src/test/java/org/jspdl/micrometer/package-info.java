/// Tests of the meters.
package org.jspdl.micrometer;
