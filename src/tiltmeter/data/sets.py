"""The data sets that Tiltmeter knows: where from, which bytes, whose, under which licence.

Only text of our own stands here. The sets themselves are never shipped: each is downloaded from its
authors, or given by the user, and must have exactly these checksums.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from tiltmeter.data.association_files import RELIGION, SENTENCES, WORDS, Bytes


@dataclass(frozen=True)
class File:
    """One file of a data set.

    `path` is its place under the cache's and the user's data folder, with `/`; `url` its address,
    "" where the set can only be imported; `size` counts bytes.
    """

    path: str
    url: str
    sha256: str
    size: int

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True)
class DataSet:
    """What is known about a data set without having it."""

    name: str
    title: str
    version: str
    files: tuple[File, ...]
    licence: str
    citation: str
    homepage: str
    warning: str
    language: str = "en"
    note: str = ""
    ships: bool = False
    """Whether the set comes with Tiltmeter. None of these does."""

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(file.size for file in self.files)

    @property
    def downloads(self) -> bool:
        """Whether every file has an address; else the set has to be imported."""
        return all(file.url for file in self.files)


CC_BY_SA = "CC BY-SA 4.0"
GITHUB = "https://raw.githubusercontent.com"
KANEKO_DATA = f"{GITHUB}/kanekomasahiro/bias_eval_in_multiple_mlm/HEAD/translated_data"
SOS_HOME = "https://github.com/efatmae/measure_SOS_bias_in_static_word_embeddings"
SOS = f"{GITHUB}/efatmae/measure_SOS_bias_in_static_word_embeddings/master/Data"
INRIA = "https://gitlab.inria.fr/french-crows-pairs/acl-2022-paper-data-and-code"

OFFENSIVE = "Contains stereotypes, slurs and other offensive sentences."
CROWS_WARNING = (
    f"{OFFENSIVE} Its authors ask that no language model be trained on it, caution that a low "
    "score does not show that a model is free of bias, and point out that Blodgett et al. 2021 "
    "(doi:10.18653/v1/2021.acl-long.81) found serious problems of noise and reliability in it."
)

NANGIA = """@inproceedings{nangia-etal-2020-crows,
  title = {{CrowS-Pairs}: A Challenge Dataset for Measuring Social Biases in Masked Language
    Models},
  author = {Nangia, Nikita and Vania, Clara and Bhalerao, Rasika and Bowman, Samuel R.},
  booktitle = {Proceedings of the 2020 Conference on Empirical Methods in Natural Language
    Processing},
  year = {2020}, pages = {1953--1967}, publisher = {Association for Computational Linguistics},
  doi = {10.18653/v1/2020.emnlp-main.154}
}"""
NEVEOL = """@inproceedings{neveol-etal-2022-french,
  title = {French {CrowS-Pairs}: Extending a challenge dataset for measuring social bias in masked
    language models to a language other than {English}},
  author = {N{\\'e}v{\\'e}ol, Aur{\\'e}lie and Dupont, Yoann and Bezan{\\c c}on, Julien and
    Fort, Kar{\\"e}n},
  booktitle = {Proceedings of the 60th Annual Meeting of the Association for Computational
    Linguistics (Volume 1: Long Papers)},
  year = {2022}, pages = {8521--8531}, publisher = {Association for Computational Linguistics},
  doi = {10.18653/v1/2022.acl-long.583}
}"""
KANEKO = """@inproceedings{kaneko-etal-2022-gender,
  title = {Gender Bias in Masked Language Models for Multiple Languages},
  author = {Kaneko, Masahiro and Imankulova, Aizhan and Bollegala, Danushka and Okazaki, Naoaki},
  booktitle = {Proceedings of the 2022 Conference of the North American Chapter of the Association
    for Computational Linguistics: Human Language Technologies},
  year = {2022}, pages = {2740--2750}, publisher = {Association for Computational Linguistics},
  doi = {10.18653/v1/2022.naacl-main.197}
}"""
STRAZDA = """@misc{strazda-spanakis-2025-dutch,
  title = {Dutch {CrowS-Pairs}: Adapting a Challenge Dataset for Measuring Social Biases in Language
    Models for {Dutch}},
  author = {Strazda, Elza and Spanakis, Gerasimos},
  year = {2025}, eprint = {2507.16442}, archiveprefix = {arXiv},
  doi = {10.48550/arXiv.2507.16442}
}"""
ZHAO = """@inproceedings{zhao-etal-2018-gender,
  title = {Gender Bias in Coreference Resolution: Evaluation and Debiasing Methods},
  author = {Zhao, Jieyu and Wang, Tianlu and Yatskar, Mark and Ordonez, Vicente and Chang, Kai-Wei},
  booktitle = {Proceedings of the 2018 Conference of the North American Chapter of the Association
    for Computational Linguistics: Human Language Technologies, Volume 2 (Short Papers)},
  year = {2018}, pages = {15--20}, publisher = {Association for Computational Linguistics},
  doi = {10.18653/v1/N18-2003}
}"""
ELSAFOURY = """@inproceedings{elsafoury-etal-2022-sos,
  title = {{SOS}: Systematic Offensive Stereotyping Bias in Word Embeddings},
  author = {Elsafoury, Fatma and Wilson, Steve R. and Katsigiannis, Stamos and Ramzan, Naeem},
  booktitle = {Proceedings of the 29th International Conference on Computational Linguistics},
  year = {2022}, pages = {1263--1274},
  publisher = {International Committee on Computational Linguistics},
  url = {https://aclanthology.org/2022.coling-1.108}
}"""
RUDINGER = """@inproceedings{rudinger-etal-2018-gender,
  title = {Gender Bias in Coreference Resolution},
  author = {Rudinger, Rachel and Naradowsky, Jason and Leonard, Brian and {Van Durme}, Benjamin},
  booktitle = {Proceedings of the 2018 Conference of the North American Chapter of the Association
    for Computational Linguistics: Human Language Technologies, Volume 2 (Short Papers)},
  year = {2018}, pages = {8--14}, publisher = {Association for Computational Linguistics},
  doi = {10.18653/v1/N18-2002}
}"""
NADEEM = """@inproceedings{nadeem-etal-2021-stereoset,
  title = {{StereoSet}: Measuring stereotypical bias in pretrained language models},
  author = {Nadeem, Moin and Bethke, Anna and Reddy, Siva},
  booktitle = {Proceedings of the 59th Annual Meeting of the Association for Computational
    Linguistics and the 11th International Joint Conference on Natural Language Processing
    (Volume 1: Long Papers)},
  year = {2021}, pages = {5356--5371}, publisher = {Association for Computational Linguistics},
  doi = {10.18653/v1/2021.acl-long.416}
}"""

MAY = """@inproceedings{may-etal-2019-measuring,
  title = {On Measuring Social Biases in Sentence Encoders},
  author = {May, Chandler and Wang, Alex and Bordia, Shikha and Bowman, Samuel R. and
    Rudinger, Rachel},
  booktitle = {Proceedings of the 2019 Conference of the North American Chapter of the Association
    for Computational Linguistics: Human Language Technologies, Volume 1},
  year = {2019}, pages = {622--628}, publisher = {Association for Computational Linguistics},
  doi = {10.18653/v1/N19-1063}
}"""
MEADE = """@inproceedings{meade-etal-2022-empirical,
  title = {An Empirical Survey of the Effectiveness of Debiasing Techniques for Pre-trained Language
    Models},
  author = {Meade, Nicholas and Poole-Dayan, Elinor and Reddy, Siva},
  booktitle = {Proceedings of the 60th Annual Meeting of the Association for Computational
    Linguistics (Volume 1: Long Papers)},
  year = {2022}, pages = {1878--1898}, publisher = {Association for Computational Linguistics},
  doi = {10.18653/v1/2022.acl-long.132}
}"""
SENT_BIAS = f"{GITHUB}/W4ngatang/sent-bias/master/tests"
BIAS_BENCH = f"{GITHUB}/McGill-NLP/bias-bench/main/data/seat"


def _tests(source: str, known: Bytes) -> tuple[File, ...]:
    return tuple(
        File(f"seat/{name}.jsonl", f"{source}/{name}.jsonl", *of) for name, of in known.items()
    )


CAO = """@inproceedings{cao-etal-2022-theory,
  title = {Theory-Grounded Measurement of {U.S.} Social Stereotypes in {English} Language Models},
  author = {Cao, Yang Trista and Sotnikova, Anna and Daum{\\'e} III, Hal and Rudinger, Rachel and
    Zou, Linda},
  booktitle = {Proceedings of the 2022 Conference of the North American Chapter of the Association
    for Computational Linguistics: Human Language Technologies},
  year = {2022}, pages = {1276--1295}, publisher = {Association for Computational Linguistics},
  doi = {10.18653/v1/2022.naacl-main.92}
}"""


def _winobias() -> tuple[File, ...]:
    source = f"{GITHUB}/uclanlp/corefBias/master/WinoBias/wino/data"
    bytes_of = {
        "anti_stereotyped_type1.txt.dev": (
            "a4e0ebae344e78b56f657a42e8ae684b9db7747d177c5e7149c0907ebb7f3bf6",
            32_782,
        ),
        "anti_stereotyped_type1.txt.test": (
            "331db5bd74bfefebf146a60b67645152a4a1991570d2a56f57154103ac361dd2",
            34_778,
        ),
        "anti_stereotyped_type2.txt.dev": (
            "763ad829ad724f9a85ead689ba8ca69072020cb1238def6210f0fc6a47b97e59",
            30_875,
        ),
        "anti_stereotyped_type2.txt.test": (
            "336571ac1ea8c06cd2aba8e5dd2bd98e00acc0c48da3e4ec5ec7e54eb2633a8f",
            31_769,
        ),
        "pro_stereotyped_type1.txt.dev": (
            "dd55a0d220fe4c0ceb63dd4648223fb4fe1a58d5ad95c116a002ad24b0e292a5",
            32_786,
        ),
        "pro_stereotyped_type1.txt.test": (
            "db7838907238a758eeb5779e48f38c013b892910d6fe864456c59f04245c6689",
            34_820,
        ),
        "pro_stereotyped_type2.txt.dev": (
            "8f0250de723cea9328e3eaf7169e07936f01aa5909ce7aa580db66eb803f4e86",
            30_884,
        ),
        "pro_stereotyped_type2.txt.test": (
            "ea1c1fd94fa612e3cc44d7fa3cc4cb76021bb63fdf94f9826f430051e9052438",
            31_749,
        ),
        "female_occupations.txt": (
            "693bff12286c2c1d46c7d4d45a44a631574710c30b39c1a3001bb7bdebb44ed8",
            177,
        ),
        "male_occupations.txt": (
            "6b82d88847b69d56d207a0c396e9830b031890de585e916e6b4e9bc50672657e",
            169,
        ),
    }
    return tuple(File(f"winobias/{n}", f"{source}/{n}", *b) for n, b in bytes_of.items())


def _winogender() -> tuple[File, ...]:
    source = f"{GITHUB}/rudinger/winogender-schemas/master/data"
    bytes_of = {
        "all_sentences.tsv": (
            "bd69da16bf228cb8df63fd0843aec2d8b5c36a7f21bf8c7b168bcc83932556c8",
            83_644,
        ),
        "templates.tsv": (
            "496f2e2dc77296bcebcdd8865a8dc5715ce22b772de9abb5f531d5b3114c48a0",
            14_903,
        ),
        "occupations-stats.tsv": (
            "3f7f37c16381a70571356982ea7fe613ac700ad04a6d3b19b9f2be18248df567",
            1_578,
        ),
    }
    return tuple(File(f"winogender/{n}", f"{source}/{n}", *b) for n, b in bytes_of.items())


def _us_stereotypes() -> tuple[File, ...]:
    source = f"{GITHUB}/TristaCao/U.S_Stereotypes/main"
    bytes_of = {
        "dataset/data_full.json": (
            "b531611cf2bf4c22df047286d0831e7d5756108c12c3cc10d35ba7f8816a7514",
            274_378,
        ),
        "data/Aggregated_scores.json": (
            "ac064b44c803f720020987eaada6a4de13a2ca49b2786796089201db1ce9faaf",
            14_749,
        ),
        "dataset/Annotators_demographics.json": (
            "d718c9346837eaf25a943874d35dea7f666e406bae2e6f8ff421c2d924eaded3",
            27_192,
        ),
    }
    return tuple(
        File(f"us_stereotypes/{PurePosixPath(n).name}", f"{source}/{n}", *b)
        for n, b in bytes_of.items()
    )


PYTORCH = f"{GITHUB}/pytorch/examples/cada773327ba94a5970e0d57c17c847d69dbbb8f"
MERITY = """@inproceedings{merity-etal-2017-pointer,
  title = {Pointer Sentinel Mixture Models},
  author = {Merity, Stephen and Xiong, Caiming and Bradbury, James and Socher, Richard},
  booktitle = {5th International Conference on Learning Representations},
  year = {2017}, eprint = {1609.07843}, archiveprefix = {arXiv}, doi = {10.48550/arXiv.1609.07843}
}"""

_ALL = (
    DataSet(
        name="crows_pairs",
        title="CrowS-Pairs: 1,508 sentence pairs on nine kinds of stereotype, with annotations",
        version="8aaac11 (2021-11-03)",
        files=(
            File(
                "crows_pairs/crows_pairs_anonymized.csv",
                f"{GITHUB}/nyu-mll/crows-pairs/master/data/crows_pairs_anonymized.csv",
                "dfb36986ce0502abbaf7055b9176da3d08d48e07df1251991b5dfbcbceab9d0c",
                437_764,
            ),
        ),
        licence=CC_BY_SA,
        citation=NANGIA,
        homepage="https://github.com/nyu-mll/crows-pairs",
        warning=CROWS_WARNING,
        note="United States English. 1,290 pairs state a stereotype, 218 go against one; one pair "
        "stands in it twice.",
    ),
    DataSet(
        name="crows_pairs_prompts",
        title="The prompts that CrowS-Pairs was written from, row by row",
        version="8aaac11 (2021-11-03)",
        files=(
            File(
                "crows_pairs/prompts.csv",
                f"{GITHUB}/nyu-mll/crows-pairs/master/data/prompts.csv",
                "3585b8a6a64b474b9f83e6e4bc5b15a13203eb8fe9470cfc30ac3f4222c5fb0e",
                181_204,
            ),
        ),
        licence=CC_BY_SA,
        citation=NANGIA,
        homepage="https://github.com/nyu-mll/crows-pairs",
        warning=CROWS_WARNING,
        note="1,508 prompts from MultiNLI and ROCStories, in the order of the pairs.",
    ),
    DataSet(
        name="crows_pairs_revised_en",
        title="CrowS-Pairs, English as revised for the French set: 1,677 pairs",
        version="+210 (ACL 2022)",
        files=(
            File(
                "french_crows_pairs/crows_pairs_EN_revised+210.csv",
                f"{INRIA}/-/raw/main/data/crows_pairs_EN_revised+210.csv",
                "c2c449a051ae93a61dae7a882c7a3efdfce04215c492ed2365d01c0861cecafe",
                267_281,
            ),
        ),
        licence=CC_BY_SA,
        citation=NEVEOL,
        homepage=INRIA,
        warning=CROWS_WARNING,
        note="Columns are separated by tabs, though the file is called .csv. 1,467 pairs come from "
        "the original and 210 are new; in row 1310 the less stereotyping sentence is French.",
    ),
    DataSet(
        name="crows_pairs_fr",
        title="French CrowS-Pairs: 1,677 pairs",
        version="+210 (ACL 2022)",
        files=(
            File(
                "french_crows_pairs/crows_pairs_FR_languagearc_contribution+210.csv",
                f"{INRIA}/-/raw/main/data/crows_pairs_FR_languagearc_contribution+210.csv",
                "1b5de822b34188375c04b949ec2e2678373b65f81d8f0bfbbef9b7df3958d2e9",
                309_085,
            ),
        ),
        licence=CC_BY_SA,
        citation=NEVEOL,
        homepage=INRIA,
        warning=OFFENSIVE,
        language="fr",
        note="Columns are separated by tabs, though the file is called .csv. In pairs 59, 379 and "
        "388 both sentences are the same.",
    ),
    DataSet(
        name="crows_pairs_nl",
        title="Dutch CrowS-Pairs: 1,463 pairs",
        version="2025",
        files=(
            File(
                "multilingual_crows_pairs/crows_dutch.csv",
                f"{GITHUB}/jerryspan/Dutch-CrowS-Pairs/main/datasets/crows_dutch.csv",
                "07b9b562e947e782a0409ebac85b28b417838cf2d33c2f7f2a13766b431ddf35",
                268_357,
            ),
        ),
        licence="CC0 1.0",
        citation=STRAZDA,
        homepage="https://github.com/jerryspan/Dutch-CrowS-Pairs",
        warning=OFFENSIVE,
        language="nl",
        note="The file is not in UTF-8 but in Mac Roman.",
    ),
    DataSet(
        name="crows_pairs_ja",
        title="Japanese translation of the gender pairs of CrowS-Pairs: 262 pairs",
        version="2022",
        files=(
            File(
                "multilingual_crows_pairs/japanese.json",
                f"{KANEKO_DATA}/japanese.json",
                "711522cd8939a0ca5660bff0a1d1aa7993611e747bfe512a1ae39465fa277e5d",
                88_485,
            ),
        ),
        licence="MIT",
        citation=KANEKO,
        homepage="https://github.com/kanekomasahiro/bias_eval_in_multiple_mlm",
        warning=OFFENSIVE,
        language="ja",
        note="Gender only; each pair with a score of bias from 2 to 5.",
    ),
    DataSet(
        name="crows_pairs_ru",
        title="Russian translation of the gender pairs of CrowS-Pairs: 262 pairs",
        version="2022",
        files=(
            File(
                "multilingual_crows_pairs/russian.json",
                f"{KANEKO_DATA}/russian.json",
                "1868e02a6088b8a6e8360b51c42e0c916a356879185df4b79108e3f453e8441c",
                110_231,
            ),
        ),
        licence="MIT",
        citation=KANEKO,
        homepage="https://github.com/kanekomasahiro/bias_eval_in_multiple_mlm",
        warning=OFFENSIVE,
        language="ru",
        note="Gender only; each pair with a score of bias from 2 to 5.",
    ),
    DataSet(
        name="crows_pairs_it",
        title="Unofficial Italian translation of the gender pairs of CrowS-Pairs: 250 pairs",
        version="unversioned",
        files=(
            File(
                "multilingual_crows_pairs/cp_it.csv",
                "",
                "a9780789a3e88ffb0d32b0d4610134c195bb195e623df689c2185cfd268ff8b7",
                69_051,
            ),
        ),
        licence="not stated",
        citation=NANGIA,
        homepage="",
        warning=OFFENSIVE,
        language="it",
        note="Gender only. No publication, licence or lasting address is known: it can only be "
        "imported. The citation is that of the English original.",
    ),
    DataSet(
        name="winobias",
        title="WinoBias: 3,168 sentences on occupations and pronouns, both types",
        version="0bce984",
        files=_winobias(),
        licence="MIT",
        citation=ZHAO,
        homepage="https://github.com/uclanlp/corefBias",
        warning="Contains stereotypes about women, men and their occupations.",
        note="Eight files of 396 sentences: for or against the stereotype, type 1 or 2, dev or "
        "test; and the two lists of occupations. 62 of the pairs do not differ in exactly one word.",
    ),
    DataSet(
        name="winogender",
        title="Winogender schemas: 720 sentences from 120 templates over 60 occupations",
        version="master",
        files=_winogender(),
        licence="MIT",
        citation=RUDINGER,
        homepage="https://github.com/rudinger/winogender-schemas",
        warning="Contains stereotypes about women, men and their occupations.",
        note="The authors call it a diagnostic that can show gender bias and cannot prove that "
        "there is none. With the shares of women in each occupation.",
    ),
    DataSet(
        name="stereoset",
        title="StereoSet, development set: 2,106 sentences with a gap and 2,123 contexts",
        version="ead7d08 (2022-04-07)",
        files=(
            File(
                "stereoset/dev.json",
                "https://github.com/moinnadeem/Stereoset/raw/master/data/dev.json",
                "73a0f31b711688112602e4c3ac6ab1e1a7cadcdd67df6c6fd55501c889676c90",
                12_502_245,
            ),
        ),
        licence=CC_BY_SA,
        citation=NADEEM,
        homepage="https://github.com/moinnadeem/StereoSet",
        warning=OFFENSIVE,
        note="With the labels that five people gave to every sentence. Blodgett et al. 2021 "
        "(doi:10.18653/v1/2021.acl-long.81) describe its pitfalls too.",
    ),
    DataSet(
        name="stereoset_rebuilt",
        title="StereoSet, development set, rebuilt without the people's labels",
        version="rebuilt",
        files=(
            File(
                "stereoset/dev_rebuilt.json",
                "",
                "df3121d1802e287c87f4b1c47d38347b0417e86e134ce4c0414a1cd8c494099c",
                2_600_665,
            ),
        ),
        licence=CC_BY_SA,
        citation=NADEEM,
        homepage="https://github.com/moinnadeem/StereoSet",
        warning=OFFENSIVE,
        note="The same sentences as `stereoset`; its lists of labels are empty. It has no address "
        "and can only be imported.",
    ),
    DataSet(
        name="weat",
        title="WEAT: 19 association tests of words, in the files of SEAT",
        version="master",
        files=_tests(SENT_BIAS, WORDS),
        licence="CC BY-NC 4.0",
        citation=MAY,
        homepage="https://github.com/W4ngatang/sent-bias",
        warning="Sets of words that stand for stereotypes about groups of people.",
        note="Not for commercial use. The tests of Caliskan et al. 2017 (doi:10.1126/science.aal4230), "
        "variants with terms in place of names (b), and three stereotypes beside them.",
    ),
    DataSet(
        name="seat",
        title="SEAT: 27 association tests of sentences",
        version="master",
        files=_tests(SENT_BIAS, SENTENCES),
        licence="CC BY-NC 4.0",
        citation=MAY,
        homepage="https://github.com/W4ngatang/sent-bias",
        warning="Sentences that stand for stereotypes about groups of people.",
        note="Not for commercial use. 19 of them are the tests of words in bare frames (This is …).",
    ),
    DataSet(
        name="seat_religion",
        title="Four association tests of sentences about religions, in the form of SEAT",
        version="main",
        files=_tests(BIAS_BENCH, RELIGION),
        licence="not stated",
        citation=MEADE,
        homepage="https://github.com/McGill-NLP/bias-bench",
        warning="Sentences that stand for stereotypes about groups of people.",
        note="Terms of Christianity against terms of Islam (1, 2) and of Judaism (1b, 2b).",
    ),
    DataSet(
        name="us_stereotypes",
        title="U.S. stereotypes: what 133 people say of 26 groups, on 16 pairs of traits",
        version="5b1f382 (2023-01-10)",
        files=_us_stereotypes(),
        licence="MIT",
        citation=CAO,
        homepage="https://github.com/TristaCao/U.S_Stereotypes",
        warning="Says how groups of people are stereotyped in the United States.",
        note="Single ratings, their means, and who the people are, which cannot be linked to the "
        "ratings. 20 people a group. Of women, the single ratings of two pairs were overwritten.",
    ),
    DataSet(
        name="profanity_403",
        title="403 swear words and insults that SOS of word vectors was measured with",
        version="31a08e2",
        files=(
            File(
                "sos_static/Data/swear_word_list2.txt",
                f"{SOS}/swear_word_list2.txt",
                "af851ecef1d5f212caba17339b12ac39cc2fef7d78c74876f67237644fcee8bd",
                3_777,
            ),
        ),
        licence="not stated",
        citation=ELSAFOURY,
        homepage=SOS_HOME,
        warning="Swear words, slurs and sexual insults.",
        note="The list of the paper's text. Three words are there twice; 124 are of several words.",
    ),
    DataSet(
        name="profanity_427",
        title="427 swear words and insults, the other list of the same paper",
        version="31a08e2",
        files=(
            File(
                "sos_static/Data/swear_words.txt",
                f"{SOS}/swear_words.txt",
                "c16f3d0107c5b12eacb89bf2a880b8f34019438f5c974a8596d2ba0e17426cc9",
                3_289,
            ),
        ),
        licence="not stated",
        citation=ELSAFOURY,
        homepage=SOS_HOME,
        warning="Swear words, slurs and sexual insults.",
        note="From Agrawal and Awekar 2018. The stored scores of the paper's repository come from it.",
    ),
    DataSet(
        name="wikitext2",
        title="WikiText-2: the test part, 60 articles of Wikipedia",
        version="v1",
        files=(
            File(
                "wikitext2/test.txt",
                f"{PYTORCH}/word_language_model/data/wikitext-2/test.txt",
                "d790b833ef8cf03a90db7bf1271b7520b83c45ce07ba3c1a9699df81e239eca0",
                1_256_449,
            ),
        ),
        licence="CC BY-SA 3.0",
        citation=MERITY,
        homepage="https://github.com/pytorch/examples",
        warning="Articles on all subjects; some are about wars and crimes.",
        note="Good and featured articles, cut at spaces and marks, rare words replaced by <unk>. From the "
        "copy among the examples of PyTorch.",
    ),
)

SETS: Mapping[str, DataSet] = {one.name: one for one in _ALL}
"""Every data set, by name."""
