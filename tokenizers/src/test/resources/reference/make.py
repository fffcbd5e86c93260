"""Trains small tokenizers with Hugging Face's library and encodes random texts: python3 make.py FOLDER FIRST COUNT.

Added tokens are not normalized: version 0.23 gives their normalized text back, 0.21, which we use, their own.

Tokenizer n is n.json; n.txt has a line of JSON for each text: [text, numbers, numbers with marks, text of the numbers]. Needs tokenizers.
"""
import json
import random
import sys

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LETTERS = ["a", "b", "e", "l", "o", "w", "r", "n", "s", "t", "A", "É", "é", "e\u0301", "ß", "ü", "ж", "и", "中", "文", "한", "\u1112\u1161\u11ab",
           "ﬁ", "①", "Å", "Å", "😀", "👨‍👩‍👧", "🇨🇭", "\U0010fffd", "\u0000", "\u0001", "\u200d", "\ufeff", "\ufffd", "ا", "م", "१", "İ", "ſ", "Ω"]
SPACES = [" ", " ", " ", " ", "  ", "\n", "\t", "\r\n", "\u00a0", "\u3000", "\u2003", "▁", "Ġ"]
SIGNS = list(".,;:!?-_'\"#@/\\<>[]{}|&%$0123456789") + ["…", "—", "«"]
MARKS = ["<end>", "[MASK]", "<0x41>", "lone ly", "Name"]


def text(r, longest):
    parts = []
    for _ in range(r.randrange(longest)):
        kind = r.random()
        parts.append(r.choice(LETTERS) if kind < 0.68 else r.choice(SPACES) if kind < 0.85 else r.choice(SIGNS) if kind < 0.97
                     else r.choice(MARKS) if kind < 0.99 else chr(r.choice([r.randrange(0x20, 0xd800), r.randrange(0xe000, 0x110000)])))
    return "".join(parts)


def normalizer(r):
    kinds = [normalizers.NFC(), normalizers.NFD(), normalizers.NFKC(), normalizers.NFKD(), normalizers.Lowercase(), normalizers.Strip(),
             normalizers.BertNormalizer(lowercase=r.random() < 0.5), normalizers.Replace("e", "ee"), normalizers.Nmt(),
             normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()]), normalizers.Prepend("▁")]
    return r.choice(kinds) if r.random() < 0.7 else None


def tokenizer(r):
    corpus = [text(r, 60) for _ in range(80)]
    size = r.randrange(150, 500)
    kind = r.randrange(5)
    if kind == 0:  # as GPT-2 and its kin
        made = Tokenizer(models.BPE())
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=r.random() < 0.5)
        made.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(vocab_size=256 + size, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    elif kind == 1:  # as Llama: what is unknown becomes bytes
        made = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=r.random() < 0.5))
        made.pre_tokenizer = pre_tokenizers.Metaspace() if r.random() < 0.5 else None
        made.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
        trainer = trainers.BpeTrainer(vocab_size=256 + size, show_progress=False, limit_alphabet=20,
                                      special_tokens=["<unk>"] + [f"<0x{i:02X}>" for i in range(256)])
    elif kind == 2:  # as BERT
        made = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=r.choice([5, 100])))
        made.pre_tokenizer = r.choice([pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Whitespace(), pre_tokenizers.UnicodeScripts()])
        made.decoder = decoders.WordPiece()
        trainer = trainers.WordPieceTrainer(vocab_size=size, show_progress=False, special_tokens=["[UNK]"])
    elif kind == 3:  # as T5
        made = Tokenizer(models.Unigram())
        made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=r.choice(["always", "first", "never"]))
        made.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(vocab_size=size, show_progress=False, unk_token="<unk>", special_tokens=["<unk>"])
    else:
        made = Tokenizer(models.WordLevel(unk_token="?"))
        made.pre_tokenizer = r.choice([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation(), pre_tokenizers.Digits(individual_digits=True)])
        trainer = trainers.WordLevelTrainer(vocab_size=size, show_progress=False, special_tokens=["?"])
    made.normalizer = normalizer(r)
    made.train_from_iterator(corpus, trainer)
    made.add_special_tokens(["<end>", "[MASK]"])
    if r.random() < 0.5:
        made.add_tokens([AddedToken("lone ly", normalized=False, single_word=r.random() < 0.5, lstrip=r.random() < 0.5, rstrip=r.random() < 0.5),
                         AddedToken("Name", normalized=False)])
    if r.random() < 0.6:
        made.post_processor = processors.TemplateProcessing(single="[MASK] $A <end>", special_tokens=[
            ("[MASK]", made.token_to_id("[MASK]")), ("<end>", made.token_to_id("<end>"))])
    return made


folder, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for number in range(first, first + count):
    r = random.Random(number)
    made = tokenizer(r)
    texts = ["", " ", "\n", text(r, 4000)] + [text(r, 60) for _ in range(36)]
    with open(f"{folder}/{number}.txt", "w", encoding="ascii") as out:
        for each in texts:
            numbers = made.encode(each, add_special_tokens=False).ids
            print(json.dumps([each, numbers, made.encode(each).ids, made.decode(numbers)]), file=out)
    if r.random() < 0.5:  # a file that cuts and fills up, which we do not
        made.enable_truncation(5)
        made.enable_padding(length=9)
    made.save(f"{folder}/{number}.json")
