package org.jspdl.spark;

import org.apache.spark.sql.connector.read.InputPartition;

/// What one task reads: a part of a dataset by places, from which the task opens what it needs.
sealed interface Piece extends InputPartition permits ShardPiece, FilePiece, PlanPiece {}
