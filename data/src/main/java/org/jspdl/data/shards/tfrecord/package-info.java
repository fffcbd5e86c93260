/// TFRecord files as shards, with the fields of `tf.train.Example`.
package org.jspdl.data.shards.tfrecord;
