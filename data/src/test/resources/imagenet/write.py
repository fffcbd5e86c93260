"""Writes meta.mat and meta-plain.mat, which are laid out as that of ImageNet's development kit, with SciPy's savemat: five classes and a group of two of them."""
import numpy
import scipy.io

SYNSETS = [
    (1, "n02119789", "kit fox, Vulpes macrotis", "small grayish fox", 0, [], 0, 1300),
    (2, "n02100735", "English setter", "an English breed", 0, [], 0, 1300),
    (3, "n01440764", "tench, Tinca tinca", "freshwater fish", 0, [], 0, 1300),
    (4, "n03000684", "chain saw, chainsaw", "portable power saw", 0, [], 0, 1194),
    (5, "n02123045", "tabby, tabby cat", "a cat", 0, [], 0, 1300),
    (6, "n02075296", "carnivore", "a group", 2, [1, 2], 3, 0),
]
NAMES = ("ILSVRC2012_ID", "WNID", "words", "gloss", "num_children", "children", "wordnet_height", "num_train_images")

table = numpy.empty((len(SYNSETS), 1), dtype=[(name, object) for name in NAMES])
for row, values in enumerate(SYNSETS):
    table[row, 0] = tuple(numpy.array(value, dtype=float) if isinstance(value, list)
                          else value if isinstance(value, str) else numpy.float64(value) for value in values)
for name, packed in (("meta.mat", True), ("meta-plain.mat", False)):
    scipy.io.savemat(name, {"synsets": table}, do_compression=packed)
