from typing import Any

import pytest

from scenarios.reading import chat, concord, h2htalk, sharegpt
from scenarios.reading.faults import BadLine
from scenarios.reading.records import Place
from tests.scenarios.samples import SCENARIO

IN_FILE = Place(file="f.jsonl", line=7, task=None, language="zh-Hans")
IN_FOLDER = Place(file="dialogue_base.jsonl", line=7, task="dialogue_base", language="zh-Hans")
TALK = [("system", "You are Ines."), ("user", "Hi."), ("assistant", "Hello!"), ("user", "So?"), ("assistant", "So.")]


def messages(*talk: tuple[str, str]) -> dict[str, Any]:
    return {"messages": [{"role": role, "content": text} for role, text in talk]}


def conversations(*talk: tuple[str, str]) -> dict[str, Any]:
    names = {"user": "human", "assistant": "gpt"}
    return {"conversations": [{"from": names.get(role, role), "value": text} for role, text in talk]}


def test_concord_keeps_every_text_as_it_is() -> None:
    record = concord.scenario(SCENARIO, IN_FILE)
    assert record.persona == SCENARIO["persona"]
    assert record.turns == SCENARIO["turns"]
    assert record.reference == SCENARIO["reference"]
    assert record.memories == [{"text": "她怕高。"}, SCENARIO["memories"][1]]
    assert record.tags == SCENARIO["tags"]
    assert record.ignored == ()


def test_a_schedule_keeps_its_order_and_what_is_no_plain_time() -> None:
    assert concord.scenario(SCENARIO, IN_FILE).schedule == [
        {"time": "23:40", "activity": "熄灯前巡一圈"},
        {"time": "00:15", "activity": "记日志"},
        {"time": "", "activity": "20:00时 开灯"},
        {"time": "21:00", "activity": "泡茶", "now": True},
    ]


def test_concord_needs_key_and_task_only() -> None:
    record = concord.scenario({"key": "a", "task": "dialogue_base"}, IN_FILE)
    assert (record.language, record.turns, record.reference) == ("zh-Hans", [], "")


def test_concord_says_what_it_does_not_take() -> None:
    assert concord.scenario({"key": "a", "task": "dialogue_base", "refrence": "x"}, IN_FILE).ignored == ("refrence",)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"key": None}, "“key” is empty"),
        ({"key": " a"}, "blanks around"),
        ({"key": "a\nb"}, "do not print"),
        ({"key": "k" * 201}, "longer than 200"),
        ({"key": 3}, "“key” must be a text"),
        ({"task": "dialogue"}, "unknown task “dialogue”"),
        ({"language": "Chinese, simplified"}, "language tag"),
        ({"persona": ["a"]}, "“persona” must be a text"),
        ({"turns": "hi"}, "“turns” must be a list"),
        ({"turns": [{"role": "user"}]}, "“role” and “text”"),
        ({"turns": [{"role": "tool", "text": "x"}]}, "unknown role “tool”"),
        ({"turns": ["hi"]}, "wrong form"),
        ({"memories": [{"category": "x"}]}, "“text”"),
        ({"memories": [{"text": "x", "importance": []}]}, "importance"),
        ({"schedule": [{"time": "09:00"}]}, "“activity”"),
        ({"schedule": [7]}, "wrong form"),
        ({"tags": []}, "“tags” must be an object"),
        ({"tags": {"a": [[[[[[[[[1]]]]]]]]]}}, "nested too deeply"),
    ],
)
def test_concord_refuses_a_wrong_field(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadLine) as refusal:
        concord.scenario({**SCENARIO, **changed}, IN_FILE)
    assert reason in str(refusal.value)


def test_concord_refuses_a_missing_key() -> None:
    with pytest.raises(BadLine, match="“task” is missing"):
        concord.scenario({"key": "a"}, IN_FILE)
    with pytest.raises(BadLine, match="“text” is missing"):
        concord.response({"key": "a", "companion": "b"}, IN_FILE)
    with pytest.raises(BadLine, match="“text” must be a text"):
        concord.response({"key": "a", "text": None}, IN_FILE)
    with pytest.raises(BadLine, match="unknown condition “with”"):
        concord.response({"key": "a", "text": "x", "condition": "with"}, IN_FILE)


def test_a_companion_that_said_nothing_is_a_response_in_every_format() -> None:
    for text in ("", " \n"):
        talk = (("user", "Hi."), ("assistant", text))
        assert concord.response({"key": "a", "text": text}, IN_FILE).text == text
        assert h2htalk.response({"response": text}, IN_FOLDER).text == text
        assert h2htalk.response(messages(*talk), IN_FOLDER).text == text
        assert chat.response(messages(*talk), IN_FOLDER).text == text
        assert sharegpt.response(conversations(*talk), IN_FOLDER).text == text


def test_a_released_reference_that_is_empty_is_no_scenario() -> None:
    with pytest.raises(BadLine, match="“response” is empty"):
        h2htalk.scenario({"response": ""}, IN_FOLDER)


def test_turns_by_the_names_of_chat_formats_are_user_and_companion() -> None:
    turns = [{"role": role, "text": "x"} for role in ("user", "human", "companion", "assistant", "gpt")]
    record = concord.scenario({**SCENARIO, "turns": turns}, IN_FILE)
    assert [turn["role"] for turn in record.turns] == ["user", "user", "companion", "companion", "companion"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"response": "a\r\n", "answer": "b"}, "a\r\n"),
        ({"answer": "b", "messages": []}, "b"),
        (messages(*TALK), "Hello!"),
        ({"messages": [{"from": "human", "value": "?"}, {"from": "gpt", "value": "g"}]}, "g"),
    ],
)
def test_h2htalk_finds_the_text_as_its_evaluator_does(data: dict[str, Any], text: str) -> None:
    assert h2htalk.response(data, IN_FOLDER).text == text
    record = h2htalk.scenario(data, IN_FOLDER)
    assert (record.key, record.task, record.reference) == ("dialogue_base/q007", "dialogue_base", text)
    assert (record.persona, record.turns, record.memories, record.schedule) == ("", [], [], [])


def test_h2htalk_keys_have_three_digits_and_more_where_needed() -> None:
    keys = [h2htalk.response({"response": "x"}, Place("f", n, "dialogue_base", "en")).key for n in (1, 999, 1000)]
    assert keys == ["dialogue_base/q001", "dialogue_base/q999", "dialogue_base/q1000"]


@pytest.mark.parametrize(
    "data", [{}, {"text": "x"}, {"response": None}, {"messages": []}, {"messages": [{"role": "user", "content": "x"}]}]
)
def test_h2htalk_refuses_a_line_without_text(data: dict[str, Any]) -> None:
    with pytest.raises(BadLine):
        h2htalk.response(data, IN_FOLDER)


@pytest.mark.parametrize(("format", "form"), [(chat, messages), (sharegpt, conversations)])
def test_a_conversation_ends_in_its_last_answer(format: Any, form: Any) -> None:
    record = format.scenario(form(*TALK), IN_FOLDER)
    assert record.key == "dialogue_base/l000007"
    assert record.persona == "You are Ines."
    assert [turn["text"] for turn in record.turns] == ["Hi.", "Hello!", "So?"]
    assert [turn["role"] for turn in record.turns] == ["user", "companion", "user"]
    assert record.reference == "So."
    assert record.ignored == ()


@pytest.mark.parametrize(("format", "form"), [(chat, messages), (sharegpt, conversations)])
def test_a_response_takes_nothing_but_the_answer_and_says_so(format: Any, form: Any) -> None:
    record = format.response({**form(*TALK), "id": 5}, IN_FOLDER)
    assert record.text == "So."
    assert len(record.ignored) == 2
    assert "id" in record.ignored
    assert "Ines" not in repr(record)


def test_a_conversation_without_an_answer_is_a_scenario_but_no_response() -> None:
    only_asked = messages(("user", "Hi."))
    record = chat.scenario(only_asked, IN_FOLDER)
    assert (record.reference, len(record.turns)) == ("", 1)
    with pytest.raises(BadLine, match="no answer"):
        chat.response(only_asked, IN_FOLDER)


def test_what_comes_after_the_last_answer_is_said_to_be_left_out() -> None:
    record = chat.scenario(messages(("user", "a"), ("assistant", "b"), ("user", "c")), IN_FOLDER)
    assert record.ignored == ("messages (after the answer)",)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"messages": {}},
        {"messages": []},
        {"messages": ["hi"]},
        {"messages": [{"role": "user", "content": [{"type": "text"}]}]},
        {"messages": [{"role": "tool", "content": "x"}]},
        {"messages": [{"content": "x"}]},
    ],
)
def test_a_wrong_conversation_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(BadLine):
        chat.scenario(data, IN_FOLDER)
