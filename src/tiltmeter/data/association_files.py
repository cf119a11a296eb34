"""The published association tests of words (WEAT) and of sentences (SEAT): which bytes they are.

By test the SHA-256 of its file, and how many bytes it has. The files are called .jsonl and hold one
JSON object each.
"""

from collections.abc import Mapping
from typing import TypeAlias

Bytes: TypeAlias = Mapping[str, tuple[str, int]]

WORDS: Bytes = {
    "angry_black_woman_stereotype": (
        "06ac61a1054ff82596a4b713e1acc5d800e5b70e84b1dd24d9e32231854e8828",
        1_421,
    ),
    "angry_black_woman_stereotype_b": (
        "69844f32f32f1f33264446d5a8ff75b11e896719c6627e8721a2e3153c493b9d",
        1_124,
    ),
    "heilman_double_bind_competent_one_word": (
        "2926a59745fa07c4069cdfe5eec3153b3a1eb43e1edeefe41667765f2b87a32f",
        907,
    ),
    "heilman_double_bind_likable_one_word": (
        "47566cb0cf9a96a102f96a8b4f5fa1a7ff5108fc9d51b7564adcae30f4031ae4",
        805,
    ),
    "weat1": (
        "c12c192a4b8011590cfe7de237cb2e0dbcd0e7328e3b7baf63869ccfd61bc0ea",
        1_892,
    ),
    "weat10": (
        "4878efc95d1bbb9c482fc90a5c2c379f9b5a990c7ea9e61f13611fff355a23bc",
        802,
    ),
    "weat2": (
        "d907a10b5a84a72f4e60bf069562565aa88b0e0c84e26adb38a75536718e25b9",
        1_873,
    ),
    "weat3": (
        "99e5fdbfe3749608afb803eb55d1fb291f81399862ba4cc2b21461ae82215bf7",
        2_122,
    ),
    "weat3b": (
        "1642a16492fb2e65ff84c858f81ee50737825b96cc0ce880f3409b4dc2e8dd5a",
        1_913,
    ),
    "weat4": (
        "c0d0c606d20a0ccb8759dcbddaea1b692a860e9dbeea2ccdcade3e3c25868dbb",
        1_607,
    ),
    "weat5": (
        "7e1ac48a1c8b549200ce5e4c9ed7fd6f0c2c766485d04e73adee05358a9b3224",
        1_063,
    ),
    "weat5b": (
        "95d5e31bebbe612274fcde0bb311c6fe012f26623522ac4a2b2c9a78ddbb9d2a",
        1_368,
    ),
    "weat6": (
        "21681d3f4d7fdf97cf4cd2c0f9160940cfbd797ec62c7621b5600dc9e6e5b248",
        789,
    ),
    "weat6b": (
        "b6c85b5228a3786827b528af3d633fbbddc4fbf05d93e6ceb6f76a4881386c1d",
        789,
    ),
    "weat7": (
        "c7e68ec95e30f42df3faa9e1ba933596c9e49651e0017bb90c19d0f58312f2b0",
        774,
    ),
    "weat7b": (
        "714c42ccf6ec71113fcb2064daa7b4dfc80b0cd4bb191c8d0196053681a9792b",
        774,
    ),
    "weat8": (
        "86e650b44e8fd539a9082564f5ede5dae2ed67d120938b9c92a7495f143801e9",
        799,
    ),
    "weat8b": (
        "db822460372ae472b8cf8fd41a44ca13e4f166bb9ee05ea13a983fe0301016ef",
        781,
    ),
    "weat9": (
        "e4c9ab7cd719dcc05a2bd86c390de31ae2778db3c362b360206c0491751fe9f7",
        745,
    ),
}
"""Tests of words, of May et al. 2019."""
SENTENCES: Bytes = {
    "heilman_double_bind_competent_1+3-": (
        "21924ce01aaee12162d8833e4f1dc5c3c332ebbbc720e7736ef554851cf1e4d2",
        7_639,
    ),
    "heilman_double_bind_competent_1-": (
        "08d78185021e1dc899ca349759906d42a74d245de62a624ca7cf24853c85f936",
        9_487,
    ),
    "heilman_double_bind_competent_1": (
        "83260f3683107446d18f20d1653a63cf53e30660fb800b4419719c0548d81c5e",
        5_087,
    ),
    "heilman_double_bind_competent_one_sentence": (
        "472b008cdeaebc97287e25dda29cee80fbcfdf976bbdcc267a9789c39580b2bf",
        1_503,
    ),
    "heilman_double_bind_likable_1+3-": (
        "7bae0867001c671175d1582e1607fa16fbf3268a4862d68ee05b8b0a046c5663",
        9_901,
    ),
    "heilman_double_bind_likable_1-": (
        "aa3c3b26c8059b7f6318b37f1d1133161dc0b28531f9f2e797acbf46c1c219ca",
        11_749,
    ),
    "heilman_double_bind_likable_1": (
        "ebfc4ce95c6687a96d8cecdd453c51b252803b1cd94c98efccb4860a5612f139",
        4_853,
    ),
    "heilman_double_bind_likable_one_sentence": (
        "76a61eade11c46470d40746a45fff48235339aebe6302a00e7edeb95c6498a06",
        1_829,
    ),
    "sent-angry_black_woman_stereotype": (
        "d421fb37fbac73184d60a73b95b5585cfc9bf0683b8100a57cd87d6d1c149588",
        9_746,
    ),
    "sent-angry_black_woman_stereotype_b": (
        "95b0bf8cde740bcd5241af89a217687dcf0a13bb48db8a628a49872df9bb1505",
        6_834,
    ),
    "sent-heilman_double_bind_competent_one_word": (
        "cc99565db26eaea3b09fe73b93109a6c3c11decb7b320f73942abdd7f60fa5d4",
        5_238,
    ),
    "sent-heilman_double_bind_likable_one_word": (
        "f3bb2f8e41caec232262ca3eec86ad4d773e1cb6fa5d0e33c7a863dccd40db7a",
        4_876,
    ),
    "sent-weat1": (
        "ff493f29fa0e0984b67e1502b0c04688473e189fd6d107c91054507ed73ff77a",
        33_519,
    ),
    "sent-weat10": (
        "04dd864639909052e2ee1f386cfc0a99b5d5311c7c3ab0411396a6f5ddf0aeae",
        6_062,
    ),
    "sent-weat2": (
        "58378442b8894e6987250a4ca52fc36495429c85695e9dcf952e9c4c31626609",
        31_904,
    ),
    "sent-weat3": (
        "1e1b9f89f518ad5bba47cbe5bd1d08d679b296b3eb640ee0b060f080c5d7ffef",
        27_279,
    ),
    "sent-weat3b": (
        "8db3f84b109031a8b86392fbd4544ca1b29f361d98b30b1e83a82b1ca60ee351",
        28_848,
    ),
    "sent-weat4": (
        "5eb5a2bc5b36d8c0567b1992aea7adb015f3e170e4d24a220c2dca763f59a418",
        20_247,
    ),
    "sent-weat5": (
        "2478d808135759371ee43754fa8efd89a928e434ad2981df61726b7328c5fb47",
        9_535,
    ),
    "sent-weat5b": (
        "c0af61519bee074d0c3218bf8e5537b10fae5d795230422cd7bff92f90cafc26",
        18_136,
    ),
    "sent-weat6": (
        "bcf1a6864e3da0e8982d70451721877f23e2efaf6aea33628df843d826b68ae2",
        9_880,
    ),
    "sent-weat6b": (
        "8d1dd09833d1854784503c2eb9986d1951d684fb3289a18da85e72fa1e59e4ff",
        10_863,
    ),
    "sent-weat7": (
        "86c151b640bc9ebf6f60cd94920ab1f5bff68ea1a993f322f729cf3620173e0f",
        8_703,
    ),
    "sent-weat7b": (
        "16b7c23eb529421b411b508b2928b0d62e52cbb80cf40f8e9acbdfb52cd75350",
        7_737,
    ),
    "sent-weat8": (
        "352fea8d5440800a219dd6141a6f5e414a708770bc2717bfc581bc249e108ded",
        8_038,
    ),
    "sent-weat8b": (
        "c410535cac813f806d20a7f76f4bea62ee44f98d8828f8f0ac6a4b7694c414bc",
        6_809,
    ),
    "sent-weat9": (
        "dd1b60d64dedde7ce532915a6a39cd8ec7d036e90896a6a854bfcd6315866c6c",
        2_499,
    ),
}
"""Tests of sentences, of May et al. 2019."""
RELIGION: Bytes = {
    "sent-religion1": (
        "39eceaa76103c32772bf6d13e78686a10272754e821c3197d07cf2bd4cee34e2",
        11_615,
    ),
    "sent-religion1b": (
        "baddaead03ed69f50bb29ac3130108ca753fb6933ed0de435d3146403b51fbf5",
        11_639,
    ),
    "sent-religion2": (
        "692ca32dc36305d34792aea17b9b1e3d520fe0f3c686f59d34159c9cfb3cdb2a",
        18_291,
    ),
    "sent-religion2b": (
        "b7012c637402e85f00da240daf040b92888df4923c31a06e64998abf3a043521",
        18_314,
    ),
}
"""Tests of sentences about religions, of Meade et al. 2022."""
