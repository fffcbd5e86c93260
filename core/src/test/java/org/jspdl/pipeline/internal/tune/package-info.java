/// Tests of the tuner, with simulated pipelines.
package org.jspdl.pipeline.internal.tune;
