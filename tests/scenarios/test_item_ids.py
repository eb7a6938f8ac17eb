import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.item_ids import NoItemId, make_item_id, split_item_id

NAMES = st.text(min_size=1)


@pytest.mark.parametrize(
    ("companion", "item_id"),
    [
        ("Heron 8B", "dialogue_base/q001/Heron 8B/sap"),
        ("org/heron", "dialogue_base/q001/org%2Fheron/sap"),
        ("100%", "dialogue_base/q001/100%25/sap"),
        ("a%2Fb", "dialogue_base/q001/a%252Fb/sap"),
    ],
)
def test_slash_and_percent_of_a_companion_are_written_as_codes(companion: str, item_id: str) -> None:
    assert make_item_id("dialogue_base/q001", companion, "sap") == item_id
    assert split_item_id(item_id) == ("dialogue_base/q001", companion, "sap")


@given(key=NAMES, companion=NAMES, condition=st.sampled_from(["sap", "no_sap"]))
def test_what_is_made_can_be_split(key: str, companion: str, condition: str) -> None:
    assert split_item_id(make_item_id(key, companion, condition)) == (key, companion, condition)


@pytest.mark.parametrize("text", ["", "a", "a/b", "a/b/c", "/b/sap", "a//sap", "a/b/sap/"])
def test_it_refuses_what_is_no_item_id(text: str) -> None:
    with pytest.raises(NoItemId):
        split_item_id(text)
