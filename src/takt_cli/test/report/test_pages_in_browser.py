# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the pages of `takt report` in a real browser: drawing, errors and requests; use by mouse, touch, keyboard
and screen reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Opened, open_browser, open_page
from click.testing import CliRunner
from page_elements import HOSTILE, plot
from page_samples import application, make_batch, make_demo, make_paper
from playwright.sync_api import Browser, Locator, ViewportSize, expect

from takt_cli.chart.axis import Axis, names_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Box, Mark, boxes
from takt_cli.chart.style import COLOURS, DARK
from takt_cli.cli.main import cli
from takt_cli.report.plotly_page import Plot, Section, Table, study_page

PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}
PLOTS = "[...document.querySelectorAll('figure.plot')]"

# For every text that is seen: its size, its colour, and the colours behind it from the innermost outward.
TEXTS = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const box = element.getBoundingClientRect();
    const unseen = element.closest("script, style, .scriptless, .unseen, .skip, details:not([open]) > :not(summary)");
    if (!node.textContent.trim() || unseen || box.width === 0 || box.height === 0) continue;
    const style = getComputedStyle(element);
    const behind = [];
    for (let each = element; each; each = each.parentElement) behind.push(getComputedStyle(each).backgroundColor);
    const colour = element.closest("svg") ? style.fill : style.color;
    found.push({ text: node.textContent.trim(), size: parseFloat(style.fontSize), colour, behind });
  }
  return found;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as found:
        yield found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write reports on a demo, one of its runs, a batch and a paper, and a page whose names contain markup."""
    place = tmp_path_factory.mktemp("pages")
    demo = make_demo(place)
    sizes = [(10, 0.5, 1024), (10, 0.5, 2 << 20), (50, 0.75, 1024), (50, 0.75, 8 << 20)]
    applications = [application(f"n{n}-u{u}-m{size}", n, u, size) for n, u, size in sizes]
    batch = make_batch(demo, place / "batch", applications)
    run, paper = demo / "takt", make_paper(place / "paper")
    for folder in (demo, batch, run, paper):
        result = CliRunner().invoke(cli, ["report", str(folder)])
        assert result.exit_code == 0, result.output
    hostile = place / "hostile.html"
    hostile.write_text(study_page(HOSTILE, [HOSTILE], [Section("one", HOSTILE, [HOSTILE], [plot(HOSTILE)])]), "utf-8")
    (place / "boxes.html").write_text(page_of_boxes(), "utf-8")
    return {
        "demo": demo / "report.html",
        "batch": batch / "report.html",
        "run": run / "report.html",
        "hostile": hostile,
        "boxes": place / "boxes.html",
        "paper": paper / "page.html",
        "pictures": demo / "page.html",
    }


def page_of_boxes() -> str:
    """Return a page with box plots on a linear and on a logarithmic axis."""
    marks: list[Mark] = []
    for i, name in enumerate(("takt", "baseline0")):
        shown = [
            Box(
                place + 0.4 * i,
                1,
                low,
                low + 1,
                low + 2,
                8,
                20,
                f"{name}, {letter}: median {low + 1}",
                f"#{name}-{letter}",
            )
            for place, (letter, low) in enumerate((("a", 1), ("b", 2)))
        ]
        marks += boxes(shown, name, name, 0.3)
    plots = [
        Plot(
            id_,
            id_,
            "The quartiles of four distributions.",
            Chart.of(Panel(marks, id_, names_axis("ab"), Axis(log=log))),
        )
        for id_, log in (("linear", False), ("logarithmic", True))
    ]
    anchors = [f"{name}-{place}" for name in ("takt", "baseline0") for place in "ab"]
    table = Table("Runs", ("run",), [(anchor,) for anchor in anchors], anchors=anchors)
    return study_page("Boxes", [], [Section("one", "One", (), plots, [table])])


@pytest.fixture(scope="module")
def pages(browser: Browser, files: dict[str, Path]) -> dict[str, Opened]:
    return {name: open_page(browser, file, drawn=name != "pictures") for name, file in files.items()}


@pytest.fixture(params=["demo", "batch", "paper", "run"])
def opened(request: pytest.FixtureRequest, pages: dict[str, Opened]) -> Iterator[Opened]:
    """Open each of the four pages in its original state. After the test, assert that it has complained of nothing and
    has requested nothing else."""
    found = pages[request.param]
    found.page.set_viewport_size(DESK)
    found.page.emulate_media(color_scheme="light")
    found.settled()
    yield found
    found.check()


@pytest.fixture
def batch(pages: dict[str, Opened]) -> Iterator[Opened]:
    found = pages["batch"]
    found.page.set_viewport_size(DESK)
    found.page.emulate_media(color_scheme="light")
    found.settled()
    yield found
    found.check()


def ranges(opened: Opened, name: str = "misses") -> list[list[float]]:
    """Return the ranges of a plot's axes."""
    script = "(id) => ['xaxis', 'yaxis'].map((a) => document.querySelector(`#${id} .drawing`)._fullLayout[a].range)"
    found: list[list[float]] = opened.run(script, name)
    return found


def until_range(opened: Opened, axis: int, wanted: list[float], name: str = "misses") -> None:
    """Wait until an axis of a plot shows this range."""
    opened.page.wait_for_function(
        "([id, axis, wanted]) => { const range = document.querySelector(`#${id} .drawing`)._fullLayout[axis].range;"
        " return range.every((end, i) => Math.abs(end - wanted[i]) < 1e-6); }",
        arg=[name, ["xaxis", "yaxis"][axis], wanted],
    )


def until_ink(opened: Opened, colour: str) -> None:
    """Wait until the plots' texts have this colour."""
    opened.page.wait_for_function(
        "(ink) => [...document.querySelectorAll('.ytick text')].every((t) => getComputedStyle(t).fill === ink)",
        arg=f"rgb{channels(colour)}",
    )


def point_at(opened: Opened, at: list[float], shown: Locator, text: str) -> None:
    """Move the mouse to a point, repeatedly until the text is shown: a busy page may miss a movement."""
    for nudge in range(10):
        opened.page.mouse.move(at[0] + nudge % 2, at[1])
        with suppress(AssertionError):
            expect(shown).to_contain_text(text, timeout=1000)
            return
    expect(shown).to_contain_text(text)


def click(opened: Opened) -> None:
    """Click at the present position of the mouse."""
    opened.page.mouse.down()
    opened.page.mouse.up()


def test_every_plot_is_drawn(opened: Opened) -> None:
    wanted = json.loads(opened.run("() => document.getElementById('figures').textContent"))["plots"]
    drawn = opened.run(
        f"() => {PLOTS}.map((figure) => {{ const graph = figure.querySelector('.drawing');"
        " const box = figure.querySelector('svg.main-svg').getBoundingClientRect();"
        " return { id: figure.id, width: box.width, height: box.height, traces: graph._fullData.length,"
        " shapes: graph.querySelectorAll('.plot :is(.point path, .js-line, path.point, path.box)').length }; })"
    )
    assert len(drawn) >= (4 if opened.file.parent.name == "takt" else 7)  # a run has no comparisons
    assert [(d["id"], d["traces"]) for d in drawn] == [(w["id"], len(w["figure"]["data"])) for w in wanted]
    assert all(d["width"] > 300 and d["height"] > 150 and d["shapes"] > 0 for d in drawn), drawn


def test_a_point_tells_its_figures_and_where_they_came_from(batch: Opened) -> None:
    at = batch.run(
        "() => { const graph = document.querySelector('#dispatch .drawing'); graph.scrollIntoView({ block: 'center' });"
        " const dot = graph.querySelector('.scatterlayer .point').getBoundingClientRect();"
        " return [dot.x + dot.width / 2, dot.y + dot.height / 2]; }"
    )
    label = batch.page.locator("#dispatch .hoverlayer .hovertext")
    point_at(batch, at, label, "takt")
    expect(label).to_contain_text("us")
    link = batch.page.locator("#dispatch .picked a")
    row = batch.page.locator(str(link.get_attribute("href")))
    assert "takt" in row.inner_text(timeout=1000) or "takt" in str(row.text_content())
    click(batch)
    expect(row).to_be_visible()
    assert batch.run("() => document.activeElement.closest('tr').id") == str(link.get_attribute("href"))[1:]


def test_buttons_zoom_and_go_back(batch: Opened) -> None:
    before = ranges(batch)
    tools = batch.page.get_by_role("group", name="Zoom of Missed deadlines")
    tools.get_by_role("button", name="Zoom in").click()
    middle, half = (before[0][0] + before[0][1]) / 2, 0.35 * (before[0][1] - before[0][0])
    until_range(batch, 0, [middle - half, middle + half])
    tools.get_by_role("button", name="Zoom out").click()
    until_range(batch, 0, before[0])
    tools.get_by_role("button", name="Zoom in").click()
    tools.get_by_role("button", name="Reset zoom").click()
    until_range(batch, 0, before[0])
    until_range(batch, 1, before[1])


def test_dragging_zooms(batch: Opened) -> None:
    before = ranges(batch, "age")
    box = batch.run(
        "() => { const layer = document.querySelector('#age .nsewdrag'); layer.scrollIntoView({ block: 'center' });"
        " const { x, y, width, height } = layer.getBoundingClientRect(); return [x, y, width, height]; }"
    )
    batch.page.mouse.move(box[0] + box[2] * 0.25, box[1] + box[3] * 0.25)
    batch.page.mouse.down()
    batch.page.mouse.move(box[0] + box[2] * 0.75, box[1] + box[3] * 0.75, steps=4)
    batch.page.mouse.up()
    low, high = before[0]
    batch.page.wait_for_function(
        "([low, high]) => { const [l, h] = document.querySelector('#age .drawing')._fullLayout.xaxis.range;"
        " return l > low + 0.2 * (high - low) && h < high - 0.2 * (high - low); }",
        arg=[low, high],
    )
    batch.page.locator("#age .drawing").press("0")
    until_range(batch, 0, before[0], "age")


def test_a_plot_obeys_the_keyboard(batch: Opened) -> None:
    drawing, before = batch.page.locator("#misses .drawing"), ranges(batch)
    low, high = before[0]
    drawing.press("ArrowRight")
    until_range(batch, 0, [low + 0.1 * (high - low), high + 0.1 * (high - low)])
    drawing.press("ArrowLeft")
    until_range(batch, 0, before[0])
    drawing.press("+")
    drawing.press("ArrowUp")
    drawing.press("0")
    until_range(batch, 0, before[0])
    until_range(batch, 1, before[1])
    drawing.press("n")
    picked = batch.page.locator("#misses .picked")
    expect(picked).to_contain_text("takt")
    expect(batch.page.locator("#misses .hoverlayer .hovertext")).to_have_count(1)
    first = picked.inner_text()
    drawing.press("n")
    expect(picked).not_to_have_text(first)
    drawing.press("p")
    expect(picked).to_have_text(first)
    href = str(batch.page.locator("#misses .picked a").get_attribute("href"))
    drawing.press("Enter")
    expect(batch.page.locator(href)).to_be_visible()
    assert batch.run("() => location.hash") == href


def test_the_key_shows_and_hides(batch: Opened) -> None:
    button = batch.page.locator("#misses .key").get_by_role("button", name="baseline0")
    visible = "() => document.querySelector('#misses .drawing')._fullData.filter((t) => t.visible === true).length"
    all_ = batch.run(visible)
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    batch.page.wait_for_function(f"(all) => ({visible})() === all - 2", arg=all_)
    batch.page.emulate_media(color_scheme="dark")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert batch.run(visible) == all_ - 2
    button.click()
    batch.page.wait_for_function(f"(all) => ({visible})() === all", arg=all_)


def test_the_keyboard_reaches_everything(opened: Opened) -> None:
    marked = (
        "() => { const all = [...document.querySelectorAll('a[href], button, summary, .drawing, .scroll')]"
        ".filter((e) => e.checkVisibility() && !e.closest('details:not([open]) > :not(summary)'));"
        " all.forEach((e, i) => (e.dataset.number = i)); document.activeElement.blur(); return all.length; }"
    )
    wanted = opened.run(marked)
    opened.run(
        "() => { document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex'); }"
    )
    reached = []
    for _ in range(wanted + 5):
        opened.page.keyboard.press("Tab")
        number, outline = opened.run(
            "() => { const e = document.activeElement; return [e.dataset.number, getComputedStyle(e).outlineStyle]; }"
        )
        reached.append(number)
        assert number is None or outline == "solid"
    assert {int(number) for number in reached if number is not None} == set(range(wanted))


def test_links_at_the_top_lead_to_the_sections(opened: Opened) -> None:
    links = opened.page.get_by_role("navigation", name="Sections").get_by_role("link")
    for i in range(links.count()):
        name = links.nth(i).inner_text()
        links.nth(i).click()
        expect(opened.page.get_by_role("heading", name=name, exact=True, level=2)).to_be_focused()
        expect(opened.page.get_by_role("heading", name=name, exact=True, level=2)).to_be_in_viewport()


def test_a_screen_reader_finds_names_for_all(opened: Opened) -> None:
    titles = opened.run(f"() => {PLOTS}.map((figure) => figure.querySelector('h3').textContent)")
    for title in titles:
        image = opened.page.get_by_role("img", name=title, exact=True)
        expect(image).to_have_count(1)
        described = opened.run(
            "(e) => e.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent)",
            image.element_handle(),
        )
        assert [len(text) > 40 for text in described] == [True, True], described
    assert len(set(titles)) == len(titles)
    tables = opened.run("() => [...document.querySelectorAll('table')].map((t) => t.caption.textContent)")
    assert len(tables) >= len(titles)
    assert all(tables)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_of_accessibility_is_broken(opened: Opened, scheme: Any) -> None:
    opened.page.emulate_media(color_scheme=scheme)
    found = Axe().run(opened.page)
    assert found.response["passes"]
    assert found.response["violations"] == [], found.generate_report()


def test_a_phone_shows_it_whole(opened: Opened) -> None:
    opened.page.set_viewport_size(PHONE)
    opened.settled()
    opened.run("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert opened.run("() => [document.documentElement.scrollWidth, innerWidth]") == [390, 390]
    small = [text for text in opened.run(TEXTS) if text["size"] < 12]
    assert small == []
    opened.run("() => document.querySelectorAll('details').forEach((each) => (each.open = false))")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_verdicts_of_a_paper_are_read_at_once(pages: dict[str, Opened], size: Any) -> None:
    opened = pages["paper"]
    opened.page.set_viewport_size(size)
    opened.settled()
    for name, rows in (("Goals for takt", 8), ("What the thesis claims", 23)):
        sheet = opened.page.get_by_role("region", name=name)
        assert opened.run("(e) => e.scrollWidth <= e.clientWidth", sheet.element_handle())
        expect(sheet.get_by_role("table").get_by_role("row")).to_have_count(rows)
    confirmed = opened.page.locator("td b", has_text="confirmed")
    expect(confirmed.first).to_have_css("color", f"rgb{channels(COLOURS['takt'])}")
    expect(confirmed.first).to_be_visible()
    assert "`" not in opened.page.locator("main").inner_text()
    headings = opened.page.get_by_role("heading", level=2).all_inner_texts()
    assert (headings[0], headings[-2]) == ("Verdicts", "Interpretation and deviations")
    opened.check()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out(opened: Opened, scheme: Any) -> None:
    colours = {"light": COLOURS, "dark": DARK}[scheme]
    opened.page.emulate_media(color_scheme=scheme)
    until_ink(opened, colours["ink"])
    texts = opened.run(TEXTS)
    assert len(texts) > 200
    weak = [text for text in texts if contrast(text) < 4.5]
    assert weak == []


def test_paper_is_light_and_shows_the_tables(batch: Opened) -> None:
    batch.page.emulate_media(color_scheme="dark")
    batch.run("() => dispatchEvent(new Event('beforeprint'))")
    until_ink(batch, COLOURS["ink"])
    assert batch.run("() => document.querySelectorAll('details:not([open])').length") == 0
    batch.run("() => dispatchEvent(new Event('afterprint'))")
    assert batch.run("() => document.querySelectorAll('details:not([open])').length") > 5


@pytest.mark.parametrize("name", ["linear", "logarithmic"])
def test_a_box_tells_its_quartiles_and_where_it_came_from(pages: dict[str, Opened], name: str) -> None:
    opened = pages["boxes"]
    picked = opened.page.locator(f"#{name} .picked")
    # The outlines of the boxes, in the order of the traces.
    found = opened.run(
        "(name) => { const bars = [...document.querySelectorAll(`#${name} .barlayer .point path`)];"
        " bars[0].scrollIntoView({ block: 'center' });"
        " return bars.map((bar) => { const { x, y, width, height } = bar.getBoundingClientRect();"
        " return [x + width / 2, y + height / 2, height]; }); }",
        name,
    )
    texts = [(executor, place, median) for executor in ("takt", "baseline0") for place, median in (("a", 2), ("b", 3))]
    assert len(found) == len(texts)
    # On a linear axis all boxes are as high, on a logarithmic one those from 2 to 4 are lower than those from 1 to 3.
    heights = [height for *_, height in found]
    assert heights[0] == pytest.approx(heights[1], rel=0.02) or name == "logarithmic"
    assert heights[0] > 1.3 * heights[1] or name == "linear"
    for at, (executor, place, median) in zip(found, texts, strict=True):
        point_at(opened, at[:2], picked, f"{executor}, {place}: median {median}")
        expect(picked.locator("a")).to_have_attribute("href", f"#{executor}-{place}")
    click(opened)
    opened.page.wait_for_function("() => location.hash === '#baseline0-b'")
    opened.run("() => history.replaceState(null, '', location.pathname)")
    opened.check()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_of_a_demo_breaks_no_rule_either(pages: dict[str, Opened], scheme: Any) -> None:
    opened = pages["pictures"]
    opened.page.set_viewport_size(PHONE)
    opened.page.emulate_media(color_scheme=scheme)
    found = Axe().run(opened.page)
    assert found.response["violations"] == [], found.generate_report()
    assert opened.run("() => document.documentElement.scrollWidth") == 390
    opened.check()


def test_names_that_contain_markup_are_shown_as_text(pages: dict[str, Opened]) -> None:
    opened = pages["hostile"]
    opened.check()
    assert opened.run("() => document.querySelectorAll('img, script').length") == 3
    labels = opened.run("() => [...document.querySelectorAll('.drawing .ytick text')].map((t) => t.textContent)")
    assert HOSTILE.strip("\u2028") in [label.strip("\u2028") for label in labels]


def test_without_scripts_the_tables_are_there(browser: Browser, files: dict[str, Path]) -> None:
    opened = open_page(browser, files["batch"], drawn=False, java_script_enabled=False)
    expect(opened.page.get_by_text("The plots need JavaScript")).to_be_visible()
    expect(opened.page.locator("#misses .tools")).to_be_hidden()
    opened.page.locator("#misses summary").click()
    expect(opened.page.locator("#misses").get_by_role("table", name="Missed deadlines")).to_be_visible()
    opened.check()


def test_a_tap_shows_a_point_and_a_second_tap_follows_its_link(browser: Browser, files: dict[str, Path]) -> None:
    opened = open_page(browser, files["batch"], viewport=PHONE, has_touch=True, is_mobile=True)
    at = opened.run(
        "() => { const graph = document.querySelector('#dispatch .drawing'); graph.scrollIntoView({ block: 'center' });"
        " const dot = graph.querySelector('.scatterlayer .point').getBoundingClientRect();"
        " return [dot.x + dot.width / 2, dot.y + dot.height / 2]; }"
    )
    opened.page.touchscreen.tap(*at)
    link = opened.page.locator("#dispatch .picked a")
    expect(link).to_be_visible()
    assert opened.run("() => location.hash") == ""
    link.tap()
    expect(opened.page.locator(str(link.get_attribute("href")))).to_be_visible()
    opened.check()


def test_the_checks_of_pages_find_faults(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "wrong.html"
    body = "<p style='color: #999; font-size: 9px'>pale<img src='other.png'><script>%s</script>"
    page.write_text("<!doctype html><title>w</title>" + body % "console.error('a fault')", "utf-8")
    opened = open_page(browser, page, drawn=False)
    assert any("a fault" in line for line in opened.complaints)
    assert any(url.endswith("other.png") for url in opened.requests)
    with pytest.raises(AssertionError):
        opened.check()
    opened.complaints.clear()
    with pytest.raises(AssertionError):
        opened.check()
    opened.run("() => (document.body.style.background = '#fff')")
    (text,) = opened.run(TEXTS)
    assert text["size"] == 9
    assert contrast(text) == pytest.approx(2.85, abs=0.01)
    assert {"image-alt", "color-contrast"} <= {each["id"] for each in Axe().run(opened.page).response["violations"]}


def channels(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue channels of a colour #rrggbb."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


def contrast(text: dict[str, Any]) -> float:
    """Return the contrast of a text to its background by WCAG 2."""
    behind = next(parsed for each in text["behind"] if (parsed := rgba(each))[3] == 1)
    lighter, darker = sorted((luminance(rgba(text["colour"])), luminance(behind)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def rgba(colour: str) -> tuple[float, float, float, float]:
    parts = [float(part) for part in colour[colour.index("(") + 1 : -1].replace(",", " ").replace("/", " ").split()]
    return parts[0], parts[1], parts[2], parts[3] if len(parts) > 3 else 1.0


def luminance(colour: tuple[float, ...]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (each / 255 for each in colour[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
