"""The data card of a release: README.md, which the Hugging Face hub reads too."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reviews.figures import Figure
from reviews.gold import ConsensusError
from reviews.intervals import Proportion
from reviews.release.columns import Table
from reviews.release.counts import Tally
from reviews.release.documents import Facts


def card_of(facts: Facts, *, tally: Tally, agreement: Mapping[str, Any], tables: Mapping[str, Table]) -> str:
    dimensions = [scale.key for scale in facts.scales]
    parts = (
        _front_matter(facts, tally, tables),
        _head(facts),
        _motivation(),
        _composition(facts, tally),
        _collection(facts),
        _raters(tally),
        _agreement(agreement, tally.errors(dimensions)),
        _experts(tally, dimensions),
        *([_scenarios(tally)] if tally.verdicts else []),
        _files(facts, tables),
        _limits(),
        _licence(facts),
    )
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _front_matter(facts: Facts, tally: Tally, tables: Mapping[str, Table]) -> Iterator[str]:
    yield "---"
    yield f"pretty_name: {json.dumps(f'{facts.title}, release {facts.number}', ensure_ascii=False)}"
    yield f"language: {json.dumps(sorted({tag.split('-')[0].lower() for tag in tally.languages}))}"
    yield "configs:"
    for name in [table.name for table in tables.values() if "parquet" in table.formats]:
        yield f"- config_name: {name}"
        yield f"  data_files: {name}.parquet"
        if name == "gold":
            yield "  default: true"
    yield "---"


def _head(facts: Facts) -> Iterator[str]:
    yield f"# {_plain(facts.title)}, release {facts.number}"
    yield ""
    yield f"Gold labels of the campaign `{facts.campaign}` on the dataset `{facts.dataset}`, made {facts.created_at}."
    state = "closed: its ratings are final" if facts.closed else "not closed: ratings may still be added or edited"
    yield f"The campaign is {state}. What every number comes from stands in `manifest.json`."


def _motivation() -> Iterator[str]:
    yield "## Motivation"
    yield ""
    yield "People judged what companion language models say, so that automatic judges can be calibrated against them:"
    yield "several raters independently of each other, experts where the raters differed."


def _composition(facts: Facts, tally: Tally) -> Iterator[str]:
    left_out = tally.items
    yield "## Composition"
    yield ""
    yield f"- {sum(tally.items.values())} items: what {_counted(len(tally.companions), 'companion')} said to scenarios"
    yield f"  in {_listed(tally.tasks)}; languages: {_listed(tally.languages)}."
    yield f"- {tally.items['gold']} items have gold labels: {_labels(tally)}."
    yield f"- Left out: {left_out['case_open']} items whose case an expert has still to decide,"
    yield f"  {left_out['wants_raters']} that want ratings, {left_out['withdrawn']} withdrawn."
    if tally.short:
        yield f"- {tally.short} labels rest on fewer raters than the item needed (`short`)."
    statuses = ", ".join(f"{tally.ratings[status]} {status}" for status in sorted(tally.ratings)) or "none"
    yield f"- Ratings saved: {statuses}. Agreement and gold read the counted ones."


def _counted(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def _labels(tally: Tally) -> str:
    return ", ".join(f"{tally.labels[method]} {method}" for method in ("consensus", "adjudicated", "ambiguous"))


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"`{name}` ({counts[name]})" for name in sorted(counts)) or "none"


def _collection(facts: Facts) -> Iterator[str]:
    scales = ", ".join(f"`{scale.key}` ({scale.levels[0]}-{scale.levels[-1]})" for scale in facts.scales)
    yield "## Collection"
    yield ""
    yield f"- Rubric `{facts.rubric['key']}` version {facts.rubric['version']}: {scales};"
    yield f"  hash `{facts.rubric['hash']}`."
    yield f"- {facts.overlap} raters an item, who saw neither each other's ratings nor the companion, the condition"
    yield "  or the reference response."
    yield f"- An item went to an expert by rule version {facts.rule_version}:"
    yield f"  `{json.dumps(facts.rule, sort_keys=True)}`."
    yield "- Nobody decided an item that they had been given to rate."
    yield "- Gold: the expert's value where there is one (`adjudicated`), no value where the expert found none"
    yield "  (`ambiguous`, with the raters' distribution), else the median of the counted ratings (`consensus`)."
    yield f"- Items, their order and the audit were drawn with seed {facts.seed}."


def _raters(tally: Tally) -> Iterator[str]:
    yield "## Raters"
    yield ""
    yield f"{_counted(len(tally.raters), 'rater')} and {_counted(len(tally.experts), 'expert')},"
    yield "under pseudonyms drawn for this release alone:"
    yield "R01 here and R01 in another release are not the same person by that. Nothing else about them is known here."


def _agreement(agreement: Mapping[str, Any], errors: Sequence[ConsensusError]) -> Iterator[str]:
    yield "## Agreement"
    yield ""
    yield "Of the independent ratings up to the overlap, before any adjudication. All of it: `agreement.json`."
    yield ""
    yield "| dimension | items compared | alpha, ordinal | AC2 | all raters equal |"
    yield "|---|---|---|---|---|"
    for name, entry in agreement["dimensions"].items():
        shares = Figure.share(entry["all_exact"]).text or "-"
        yield f"| {name} | {entry['pairable_units']} | {_figure(entry['alpha'])} | {_figure(entry['ac2'])} | {shares} |"
    yield ""
    yield "How often an expert who looked at agreed items, drawn at random, differed from their consensus:"
    yield ""
    yield "| dimension | items audited | by 1 or more | by any amount |"
    yield "|---|---|---|---|"
    for error in errors:
        yield f"| {error.dimension} | {error.audited} | {_share(error.off_by_one)} | {_share(error.off_at_all)} |"


def _experts(tally: Tally, dimensions: Sequence[str]) -> Iterator[str]:
    found = tally.experts_agree(dimensions)
    yield "## Experts"
    yield ""
    if tally.quick_reasons:
        reasons = ", ".join(f"{reason} {tally.quick_reasons[reason]}" for reason in sorted(tally.quick_reasons))
        yield f"What they gave as the cause of the disagreement, by decision that stands: {reasons}."
        yield ""
    if not found.drawn.cases and not found.asked_for.cases:
        yield "No case was judged by two experts on their own: how far experts agree is not measured."
        return
    yield f"{_counted(found.drawn.cases, 'case')}, drawn at random, went to two experts who judged without sight of"
    yield "each other. How often they agreed, where both gave a value:"
    yield ""
    yield "| dimension | pairs | equal | within 1 | mean difference | one found it undecidable | both |"
    yield "|---|---|---|---|---|---|---|"
    for of in found.drawn.dimensions:
        mean = "-" if of.mean_difference is None else f"{of.mean_difference:.2f}"
        shares = f"{_share(of.exact)} | {_share(of.within_one)} | {mean}"
        yield f"| {of.dimension} | {of.pairs} | {shares} | {of.one_undecidable} | {of.both_undecidable} |"
    yield ""
    yield f"Rulings on the same violation that were equal: {_share(found.drawn.marks)}, of {found.drawn.marks.n}."
    yield f"Not in the table, being no random sample: {_counted(found.asked_for.cases, 'case')} where a second opinion"
    yield "was asked for or that was opened again (see the manifest)."


def _scenarios(tally: Tally) -> Iterator[str]:
    yield "## Scenarios"
    yield ""
    yield "What experts ruled about the scenarios themselves, and what was wrong with those not kept (`rulings.jsonl`):"
    yield ""
    yield "| task | kept | revised | withdrawn | faults |"
    yield "|---|---|---|---|---|"
    for task in sorted(tally.verdicts):
        verdicts, faults = tally.verdicts[task], tally.faults[task]
        why = ", ".join(f"{fault} {faults[fault]}" for fault in sorted(faults)) or "-"
        yield f"| {task} | {verdicts['keep']} | {verdicts['revise']} | {verdicts['withdraw']} | {why} |"


def _figure(entry: Mapping[str, Any]) -> str:
    """With English words whatever the language of who asked: the same data gives the same bytes."""
    value, low, high = (
        "-" if number is None else f"{number:.3f}" for number in (entry["value"], entry["ci_low"], entry["ci_high"])
    )
    interval = f" [{low}, {high}]" if entry["ci_low"] is not None else ""
    return f"{value}{interval}" + (f" ({entry['reason']})" if entry["reason"] else "")


def _share(found: Proportion) -> str:
    if found.share is None or found.low is None or found.high is None:
        return "not measured"
    return f"{found.share:.1%} [{found.low:.1%}, {found.high:.1%}] ({found.how})"


def _files(facts: Facts, tables: Mapping[str, Table]) -> Iterator[str]:
    yield "## Files"
    yield ""
    yield "JSONL and Parquet are exact. CSV is UTF-8 with BOM for spreadsheets: a text cell that starts, after blanks,"
    yield "with `=`, `+`, `-` or `@` of any width, or with a tab or a line break, has an apostrophe before it so that"
    yield "it cannot run; numbers stay numbers; an empty cell is null or an empty text."
    if facts.without_texts:
        yield "The texts of the responses and the passages that marks and notes quote are left out of this release."
    for table in tables.values():
        yield ""
        yield f"`{table.name}` ({', '.join(table.formats)}): {table.about}."
        yield ""
        yield "| column | kind | meaning |"
        yield "|---|---|---|"
        yield from (f"| {column.name} | {column.kind} | {column.about} |" for column in table.columns)


def _limits() -> Iterator[str]:
    yield "## Limits"
    yield ""
    yield "- Adjudicated items are no random sample: they are those about which raters differed, or that may be unsafe."
    yield "- A consensus is what raters agreed on, not what is right: see the error of consensus above."
    yield "- The responses were written by models and may hurt; nothing in them is advice."
    yield "- Rationales and notes are the raters' own words, as written."


def _licence(facts: Facts) -> Iterator[str]:
    yield "## Licence"
    yield ""
    yield f"No licence is declared. The responses come from the dataset “{_plain(facts.dataset_title)}”, whose terms"
    yield "hold for them; for the labels ask whoever gave you this release."


def _plain(text: str) -> str:
    """On one line, without what Markdown would take for more than text."""
    words = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|!" else sign for sign in words)
