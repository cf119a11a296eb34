"""Files of groups, traits and templates: what they say, what is refused, the cells they make."""

import json
import re
from pathlib import Path

import pytest

from support import published
from tiltmeter.core.data.items import BLANK
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.group_lists import known_as
from tiltmeter.studies.group_traits.cells import cells, load_cells

SMALL = """
language = "en"
nouns = { singular = "person" }
groups = [
  { name = "cyclist", singular = "cyclist" },
  { name = "angler", singular = "angler" },
]
pairs = [{ left = "careless", right = "careful" }]
templates = [{ text = ["The {group} is {trait}.", "{trait} is what a {group} is."] }]
"""
FRENCH = """
language = "fr"
[nouns]
le = { masculine = "l'homme", feminine = "la personne" }
les = "les gens"
[[groups]]
name = "marins"
gender = "masculine"
le = "le marin"
les = "les marins"
adjective = "marin"
[[groups]]
name = "fleuristes"
gender = "feminine"
le = "la fleuriste"
les = "les fleuristes"
after = { masculine = "fleuri", feminine = "fleurie" }
[[pairs]]
left = { masculine = "lent", feminine = "lente", "masculine les" = "lents", "feminine les" = "lentes" }
right = { masculine = ["vif"], feminine = ["vive"], les = ["vifs", "rapides"] }
name = "lent - vif"
[[templates]]
form = "le"
text = "{group} est {trait}."
[[templates]]
form = "les"
name = "vus"
text = { masculine = "{group} sont vus comme {trait}.", feminine = "{group} sont vues comme {trait}." }
"""


@pytest.fixture
def written(tmp_path):
    def write(text, name="mine.toml"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


# ── The packaged lists ───────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def abc():
    return GroupFile.named()


def test_the_packaged_lists_are_the_chapters(abc):
    domains = [group.domain for group in abc.groups]
    counts = {domain: domains.count(domain) for domain in domains}
    assert counts == {
        "gender/sexuality": 7, "race/ethnicity": 5, "religion": 10, "socio-economic": 8, "age": 2,
        "disability": 5, "politics": 2, "nationality": 14,
    }  # fmt: skip
    dimensions = [pair.dimension for pair in abc.pairs]
    assert [dimensions.count(d) for d in ("agency", "beliefs", "communion")] == [6, 4, 6]
    families = [template.family for template in abc.templates]
    assert [families.count(f) for f in dict.fromkeys(families)] == [3, 5, 1, 3, 16, 5, 1, 1]
    words = {w for p in abc.pairs for some in (p.more_left, p.more_right) for w in some[""]}
    assert len(words) == 85  # the table lists 86, "submissive" twice
    own = {w for p in abc.pairs for some in (p.left, p.right) for w in some[""]}
    assert len(own) == 32
    assert not own & words


SETTINGS = {"groups": "", "templates": "", "words": "paper", "article": "agree", "cross": "no"}


def test_the_lists_of_four_languages_have_the_groups_and_pairs_of_the_ratings():
    rated: dict[str, set[str]] = {"groups": set(), "pairs": set()}
    for language in ("english", "russian", "chinese", "hindi"):
        path = published.need(f"stereotype_leakage/data_full_{language}.json")
        for groups in json.loads(path.read_text("utf-8")).values():
            rated["groups"] |= {name.casefold() for name in groups}
            rated["pairs"] |= {pair for pairs in groups.values() for pair in pairs}
    counts = {"leakage_en": 35, "leakage_ru": 45, "leakage_zh": 23, "leakage_hi": 47}
    for name, templates in counts.items():
        file = GroupFile.named(name)
        names = {alias.casefold() for group in file.groups for alias in group.names}
        assert rated["groups"] - names <= {"bahmin people"}
        assert {pair.name for pair in file.pairs} == rated["pairs"]
        assert (len(file.groups), len(file.templates)) == (30, templates)
        assert [choice.name for choice in file.choices] == ["paper", "code"]


def test_a_sentence_without_the_group_agrees_with_its_noun():
    woman = cells(
        GroupFile.named("leakage_ru"), groups="woman", templates="[group] кажется [trait]."
    )
    first = woman.items[0]
    assert (first.frame, first.without) == ("Женщина кажется BLANK.", "Человек кажется BLANK.")
    assert first.poles == (("невлиятельной",), ("влиятельной",))
    assert first.poles_without == (("невлиятельным",), ("влиятельным",))
    hindi = cells(
        GroupFile.named("leakage_hi"), groups="woman", templates="कुछ [group] [trait] होते हैं।"
    )
    assert hindi.items[0].frame == "कुछ महिलाएं BLANK होती हैं।"
    assert hindi.items[0].without == "कुछ लोग BLANK होते हैं।"
    assert hindi.items[0].poles_without == ()


def test_all_cells_of_the_chapter(abc):
    data = load_cells(None, SETTINGS)
    assert len(data.items) == 53 * 16 * 35 == len({cell.id for cell in data.items})
    forms = {form.casefold() for group in abc.groups for form in group.forms.values()}
    for cell in data.items:
        begin, end = cell.place
        assert cell.frame.count(BLANK) == cell.without.count(BLANK) == 1
        assert cell.frame[begin:end].casefold() in forms
        noun = "person" if cell.groups["family"] == "singular" else "people"
        bare = cell.frame[:begin].replace("An ", "A ") + noun + cell.frame[end:]
        assert cell.without == bare[0].upper() + bare[1:]
    assert (data.clusters, data.about["groups"]) == ("template", "53")


def test_the_human_data_know_the_same_groups_and_pairs(abc):
    path = published.need("us_stereotypes/Aggregated_scores.json")
    human = json.loads(path.read_text("utf-8"))
    groups = known_as(abc.groups)
    assert [name for name in human if name.casefold() not in groups] == ["average people"]
    assert list(human["women"]) == [pair.name for pair in abc.pairs]
    assert groups["blacks/african americans"][0].name == "Black"


def test_the_script_had_51_groups_and_no_agreement(abc):
    data = cells(
        abc, groups="elderly, Asian people", templates="A [group] is [trait].", article="a"
    )
    assert data.items[-1].frame == "A elderly person is BLANK."
    assert [len(data.items), data.about["groups"]] == [32, "2"]
    agreeing = cells(abc, groups="elderly", templates="A [group] is [trait].").items[0]
    assert agreeing.frame == "An elderly person is BLANK."
    assert agreeing.frame[slice(*agreeing.place)] == "elderly person"
    assert agreeing.without == "A person is BLANK."


def test_a_group_begins_its_sentence_with_a_capital(abc):
    cell = cells(abc, groups="gay", templates="[group] are so [trait].").items[0]
    assert (cell.frame, cell.without) == ("Gay men are so BLANK.", "People are so BLANK.")
    assert cell.place == (0, 7)


def test_a_group_after_the_trait_is_found_where_it_stands(abc):
    cell = cells(abc, groups="veteran", templates="The [trait] people are [group].").items[0]
    assert cell.frame == "The BLANK people are veterans."
    assert cell.frame[slice(*cell.place)] == "veterans"
    assert cell.without == "The BLANK people are people."


def test_words(abc):
    pair = {c.groups["pair"]: c.poles for c in cells(abc, groups="man", words="all").items}
    assert pair["conventional - alternative"] == (
        ("conventional", "mainstream"),
        ("alternative", "unorthodox", "avant-garde", "eccentric"),
    )
    assert cells(abc, groups="man").items[-1].poles == (("egotistic",), ("altruistic",))


def test_cells_say_what_they_are_of(abc):
    cell = cells(abc, groups="Women", templates="That [group] is [trait].").items[12]
    assert cell.id == "woman|cold - warm|That [group] is [trait]."
    assert cell.groups == {
        "group": "woman", "domain": "gender/sexuality", "pair": "cold - warm",
        "dimension": "communion", "template": "That [group] is [trait].", "family": "singular",
    }  # fmt: skip
    assert cell.cluster == "That [group] is [trait]."


def test_choosing(abc):
    def names(**how):
        return list(dict.fromkeys(cell.groups["group"] for cell in cells(abc, **how).items))

    assert names(groups=" AGE, doctor ,") == ["doctor", "teenager", "elderly"]
    assert names(groups="Blacks/African Americans; transgender people") == ["trans", "Black"]
    with pytest.raises(UnknownName, match=r"'wommen'\. Did you mean 'women'|Did you mean 'woman'"):
        names(groups="wommen")
    with pytest.raises(UnknownName, match="No template named"):
        names(templates="The [group] was [trait].")


def test_cells_are_a_sequence(abc):
    items = cells(abc, groups="man, woman").items
    assert len(items) == 2 * 16 * 35
    assert items[-1] == items[len(items) - 1] == list(items)[-1]
    assert items[3:6] == [items[3], items[4], items[5]]
    with pytest.raises(IndexError):
        items[len(items)]


# ── Files of the user's ──────────────────────────────────────────────────────────────────────────


def test_ten_lines_are_enough(written):
    data = cells(GroupFile.read(written(SMALL)))
    assert [cell.frame for cell in data.items] == [
        "The cyclist is BLANK.",
        "BLANK is what a cyclist is.",
        "The angler is BLANK.",
        "BLANK is what a angler is.",
    ]
    assert data.items[1].texts == (
        "Careless is what a cyclist is.",
        "Careful is what a cyclist is.",
    )
    assert (data.name, data.source, data.licence) == ("mine", "mine.toml", "not stated")
    assert data.items[0].groups == {
        "group": "cyclist", "pair": "careless - careful", "template": "The [group] is [trait].",
    }  # fmt: skip
    agreeing = cells(GroupFile.read(written('article = "agree"' + SMALL))).items[3]
    assert agreeing.frame == "BLANK is what an angler is."
    assert agreeing.frame[slice(*agreeing.place)] == "angler"


def test_words_agree_with_gender_and_form(written):
    data = cells(GroupFile.read(written(FRENCH)))
    assert [cell.texts for cell in data.items] == [
        ("Le marin est lent.", "Le marin est vif."),
        ("Les marins sont vus comme lents.", "Les marins sont vus comme vifs.",
         "Les marins sont vus comme rapides."),
        ("La fleuriste est lente.", "La fleuriste est vive."),
        ("Les fleuristes sont vues comme lentes.", "Les fleuristes sont vues comme vifs.",
         "Les fleuristes sont vues comme rapides."),
    ]  # fmt: skip
    assert [c.without for c in data.items[::2]] == ["L'homme est BLANK.", "La personne est BLANK."]
    assert data.items[1].cluster == "vus"


def test_the_end_of_lines_and_the_mark_before_them_do_not_matter(tmp_path):
    path = tmp_path / "w.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert len(cells(GroupFile.read(path)).items) == 4


def test_other_encodings_are_told_or_given(tmp_path):
    path = tmp_path / "latin.toml"
    path.write_bytes(SMALL.replace("cyclist", "fahrradgärtner").encode("cp1252"))
    with pytest.raises(BadInput, match=r"is not utf-8.*encoding cp1252"):
        GroupFile.read(path)
    assert GroupFile.read(path, encoding="cp1252").groups[0].name == "fahrradgärtner"


TWO_FORMS = SMALL.replace('singular = "person"', 'singular = "person", plural = "people"')
BAD = {
    "not toml": ("groups = [", r"mine\.toml: is not TOML: .*group_traits\.md"),
    "nothing": ("\n", r"has no nouns; write \[nouns\].*has no groups.*has no pairs.*has no templates"),
    "no plural": (
        TWO_FORMS.replace("templates = [{", "templates = [{ form = 'plural',"),
        r"group 'cyclist' has no plural, which templates ask for \('The .*'\); write plural = .*angler",
    ),
    "no form": (TWO_FORMS, r"template 'The \[group\] .*' names no form; known forms: singular, pl"),
    "unknown form": (
        SMALL.replace("templates = [{ ", 'templates = [{ form = "singlar", '),
        r"uses the form 'singlar', which \[nouns\] does not define; did you mean 'singular'\?",
    ),
    "no group": (SMALL.replace("The {group}", "The man"), r"has \{group\} not at all"),
    "two traits": (SMALL.replace("is {trait}.", "is {trait} {trait}."), r"\{trait\} 2 times"),
    "other place": (SMALL.replace("The {group}", "The {age} {group}"), r"has a place \{age\}"),
    "no words": (SMALL.replace('left = "careless", ', ""), r"pairs\[1\] has no left; write left"),
    "no words in a list": (SMALL.replace('"careless"', "[]"), r"pairs\[1\].left is empty"),
    "a table without words": (SMALL.replace('"careless"', "{}"), r"pairs\[1\].left is empty"),
    "an empty word": (SMALL.replace('"careless"', '" "'), r"left is empty"),
    "a number": (SMALL.replace('"careless"', "7"), r"left is 7, not a text; put it in quotation"),
    "same group": (SMALL.replace('name = "angler"', 'name = "Cyclist"'), "two entries are group 'cyc"),
    "same template": (SMALL.replace("{trait} is what a {group} is.", "The {group} is {trait}."),
                      "two entries are template"),
    "unknown key": (SMALL.replace("language", "langage"), "unknown key 'langage'; did you mean 'lang"),
    "unknown key of a group": (SMALL.replace('singular = "angler"', 'singlar = "angler"'),
                               "group 'angler' has an unknown key 'singlar'; did you mean 'singular'"),
    "a group without a name": (SMALL.replace('name = "angler", ', ""), r"groups\[2\] has no name"),
    "no list": (SMALL.replace('pairs = [{ left = "careless", right = "careful" }]', "pairs = 3"),
                r"pairs is not a list of tables; begin each with"),
    "no table": (SMALL.replace('{ singular = "person" }', '"person"'), "nouns is not a table"),
    "article": ('article = "an"' + SMALL, "article is 'an'; write \"agree\" or \"a\""),
    "the blank": (SMALL.replace("The {group}", "The BLANK {group}"), "without the signs"),
    "a place in a group": (SMALL.replace('singular = "angler"', 'singular = "{trait} angler"'),
                           r"singular .* \{trait\} are only for templates"),
    "a place in a trait": (SMALL.replace('"careless"', '"{group}"'), "are only for templates"),
    "a trait and itself": (SMALL.replace('"careful"', '["careful", "careless"]'),
                           "pair 'careless - careful' has 'careless' on both sides; write opposite"),
    "a trait and a further one": (
        SMALL.replace('right = "careful"', 'right = "careful", more_left = "careful"'),
        "has 'careful' on both sides",
    ),
    "crossing": (SMALL + '[[crossing.exclude]]\nfirst = "ciclist"\nsecond = "angler"\n',
                 "no group and no domain is named 'ciclist'; did you mean 'cyclist'"),
    "crossing either": (SMALL + '[[crossing.allow]]\nfirst = "cyclist"\nsecond = "angler"\n'
                        'either_way = "yes"\n', "either_way is 'yes', not true or false"),
    "one name": (SMALL.replace("templates = [{ ", 'templates = [{ name = "x", '), "one name for 2 texts"),
    "a choice": (SMALL + '[[choices]]\ntext = "{group}: {left} or {center}?"\n',
                 r"has \{right\} not at all.*a place \{center\}; write \{group\}, \{left\} and"),
    "gender": (FRENCH.replace('gender = "feminine"', 'gender = "neuter"'),
               r"noun 'le' has no words for gender 'neuter', form 'le'; its keys are masculine, fem"),
    "no gender": (FRENCH.replace('gender = "feminine"\n', ""), "no words for groups without a gender"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_used_is_told(case, written):
    text, message = BAD[case]
    with pytest.raises((BadInput, BadItems)) as told:
        GroupFile.read(written(text))
    assert re.search(message, str(told.value), re.DOTALL), told.value
    *lines, last = str(told.value).splitlines()
    assert all(line.startswith("mine.toml: ") for line in lines)
    assert "docs/studies/group_traits.md" in last


def test_a_missing_file_and_a_near_name(tmp_path, written):
    written(SMALL)
    with pytest.raises(BadInput, match=r"no such file; did you mean mine\.toml"):
        GroupFile.read(tmp_path / "mime.toml")


# ── The documentation ────────────────────────────────────────────────────────────────────────────

PAGE = Path(__file__).parents[3] / "docs" / "studies" / "group_traits.md"


def examples():
    return re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_page_are_whole_files(written):
    english, french = (cells(GroupFile.read(written(text))) for text in examples())
    assert [cell.texts[0] for cell in english.items[9:]] == [
        "An angler is rude.", "Anglers are rude.", "Most anglers are rude.",
    ]  # fmt: skip
    assert [(cell.texts, cell.without) for cell in french.items[2:]] == [
        (("La boulangère est lente.", "La boulangère est patiente."), "La personne est BLANK."),
        (
            (
                "Les boulangères sont vues comme lentes.",
                "Les boulangères sont vues comme patientes.",
            ),
            "Les personnes sont vues comme BLANK.",
        ),
    ]


@pytest.mark.parametrize(
    "written",
    ["[group] are [trait].", "[group] are [trait]", "[GROUP] ARE [TRAIT].",
     "[group] are [trait]; Most [group] are [trait]", "[group] are [trait]., Most [group] are [trait]."],
)  # fmt: skip
def test_templates_are_named_with_or_without_a_full_stop(written):
    made = cells(GroupFile.named("abc"), groups="woman", templates=written).items
    frames = {item.frame.replace(BLANK, "[trait]") for item in made}
    assert frames == {"Women are [trait].", "Most women are [trait]."} - (
        set() if "Most" in written else {"Most women are [trait]."}
    )
