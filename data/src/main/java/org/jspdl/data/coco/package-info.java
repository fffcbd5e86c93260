/// Images with boxes around things, as COCO describes them in one JSON file. Read
/// [org.jspdl.data.coco.CocoDataset] first.
package org.jspdl.data.coco;
