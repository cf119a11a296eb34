"""What a drawing of a matrix holds: marks by cell, elements by class."""

import re
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


def parsed(markup: str) -> ET.Element:
    return ET.fromstring(markup)  # our own output, never a stranger's file


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [e for e in root.iter() if name in (e.get("class") or "").split()]


def marks(root: ET.Element) -> dict[str, ET.Element]:
    """What is drawn for each cell, by the group and the pair that its title begins with."""
    found = {}
    for element in root.iter():
        title = element.findtext(f"{SVG}title") or ""
        named = re.match(r"(.+?), (.+? – .+?): ", title)
        if named and element.tag != f"{SVG}svg":
            found[named[1], named[2].replace(" – ", " - ")] = element
    return found


def number_in(title: str) -> float:
    return float(title.partition(": ")[2].split()[0].rstrip(",;").replace("−", "-"))
