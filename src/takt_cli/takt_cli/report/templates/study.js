"use strict";
// Draws the figures of the page in light or dark colours, and makes all mouse actions available on the keyboard.
(() => {
  const page = JSON.parse(document.getElementById("figures").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const touch = matchMedia("(pointer: coarse)");
  let printing = false;
  document.documentElement.classList.add("scripted");

  // ---- colours: figures use those of the light page ------------------------------------------------------------
  const toDark = new Map(Object.entries(page.light).map(([name, colour]) => [colour, page.dark[name]]));
  const recoloured = (value) => {
    if (typeof value === "string") return toDark.get(value) ?? value;
    if (Array.isArray(value)) return value.map(recoloured);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, recoloured(each)]));
  };
  const themed = (figure) => (dark.matches && !printing ? recoloured(figure) : structuredClone(figure));

  // ---- axes ---------------------------------------------------------------------------------------------------
  const axes = (graph) => Object.keys(graph._fullLayout).filter((name) => /^[xy]axis\d*$/.test(name));
  // Sets each axis's range to `change(low, high)`. Axes that match another one follow it automatically.
  const setRanges = (graph, letters, change) => {
    const update = {};
    for (const name of axes(graph)) {
      const axis = graph._fullLayout[name];
      if (axis.matches || axis.fixedrange || !letters.includes(name[0])) continue;
      const [low, high] = axis.range.map(axis.r2l);
      update[name + ".range"] = change(low, high).map(axis.l2r);
    }
    return Plotly.relayout(graph, update);
  };
  const zoom = (graph, factor) =>
    setRanges(graph, "xy", (low, high) => {
      const middle = (low + high) / 2;
      return [middle + (low - middle) * factor, middle + (high - middle) * factor];
    });
  const move = (graph, letter, part) =>
    setRanges(graph, letter, (low, high) => {
      const by = (letter === "y" ? Math.abs(high - low) : high - low) * part;
      return [low + by, high + by];
    });
  const reset = (graph) => {
    const own = page.plots.find((plot) => plot.id === graph.closest("figure").id).figure.layout;
    const update = {};
    for (const name of axes(graph)) {
      const range = own[name] && own[name].range;
      if (range) update[name + ".range"] = [...range];
      else update[name + ".autorange"] = graph._fullLayout[name].autorange || (own[name] && own[name].autorange) || true;
    }
    return Plotly.relayout(graph, update);
  };

  // ---- the selected point ---------------------------------------------------------------------------------------
  const plain = (text) =>
    String(text).replace(/<br\s*\/?>/g, ", ").replace(/<[^>]*>/g, "").replaceAll("&lt;", "<");
  const shown = (value) => (typeof value === "number" ? String(Number(value.toPrecision(4))) : plain(value));
  const linkOf = (point) => {
    const data = Array.isArray(point.customdata) ? point.customdata[0] : point.customdata;
    return typeof data === "string" && data !== "" && !/^([a-z][a-z0-9+.-]*:|\/)/i.test(data) ? data : null;
  };
  const tell = (graph, point) => {
    const line = graph.closest("figure").querySelector(".picked");
    const name = plain(point.data.name ?? "");
    const parts = [name, point.x, point.y].filter((part) => part !== undefined).map(shown);
    const text = point.hovertext ? plain(point.hovertext) : parts.filter((part) => part !== "").join(", ");
    line.replaceChildren(document.createTextNode(text + " "));
    const href = linkOf(point);
    if (href === null) return;
    const link = document.createElement("a");
    link.href = href;
    link.textContent = "open its run";
    line.append(link);
  };
  const look = (graph, point) => {
    graph.link = linkOf(point);
    tell(graph, point);
  };
  const open = (href) => {
    if (href === null) return;
    if (!href.startsWith("#")) location.assign(href);
    else if (location.hash === href) reveal();
    else location.hash = href;
  };
  // Shows and focuses the row or section that the address names, unfolding its table if necessary.
  const reveal = () => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    for (let each = place.parentElement; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
    place.scrollIntoView({ block: place.tagName === "TR" ? "center" : "start" });
    const first = place.querySelector("a") ?? place;
    first.focus({ preventScroll: true });
  };
  const points = (graph) =>
    graph._fullData.flatMap((trace, curve) => {
      if (trace.visible !== true || trace.hoverinfo === "skip") return [];
      const all = Array.from({ length: trace._length }, (_, number) => ({ curveNumber: curve, pointNumber: number }));
      return all.filter(({ pointNumber: n }) => trace.x[n] !== null && trace.y[n] !== null);
    });
  // The point in the form in which Plotly's events have it.
  const pointOf = (graph, { curveNumber, pointNumber }) => {
    const trace = graph._fullData[curveNumber];
    const of = (values) => (values === undefined || typeof values === "string" ? values : values[pointNumber]);
    const parts = ["x", "y", "hovertext", "customdata"].map((name) => [name, of(trace[name])]);
    return { data: trace, ...Object.fromEntries(parts) };
  };
  const step = (graph, by) => {
    const all = points(graph);
    if (all.length === 0) return;
    graph.place = ((graph.place ?? (by > 0 ? -1 : all.length)) + by + all.length) % all.length;
    // This shows the label but emits no event, as it would for a pointer.
    Plotly.Fx.hover(graph, [all[graph.place]], Object.keys(graph._fullLayout._plots));
    look(graph, pointOf(graph, all[graph.place]));
  };

  const KEYS = {
    ArrowLeft: (graph) => move(graph, "x", -0.1),
    ArrowRight: (graph) => move(graph, "x", 0.1),
    ArrowUp: (graph) => move(graph, "y", 0.1),
    ArrowDown: (graph) => move(graph, "y", -0.1),
    "+": (graph) => zoom(graph, 0.7),
    "=": (graph) => zoom(graph, 0.7),
    "-": (graph) => zoom(graph, 1 / 0.7),
    0: reset,
    n: (graph) => step(graph, 1),
    p: (graph) => step(graph, -1),
    Enter: (graph) => open(graph.link ?? null),
    Escape: (graph) => Plotly.Fx.unhover(graph),
  };

  // ---- drawing ---------------------------------------------------------------------------------------------------
  const wire = (figure, graph) => {
    graph.on("plotly_hover", ({ points: [point] }) => look(graph, point));
    // On touch screens the first tap shows the figures and a link; with a mouse, hovering has shown them already.
    graph.on("plotly_click", ({ points: [point] }) => (touch.matches ? tell(graph, point) : open(linkOf(point))));
    graph.addEventListener("keydown", (event) => {
      if (event.target !== graph || event.altKey || event.ctrlKey || event.metaKey) return;
      const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action) return;
      event.preventDefault();
      action(graph);
    });
    figure.querySelector(".tools").addEventListener("click", ({ target }) => {
      const action = { in: KEYS["+"], out: KEYS["-"], reset }[target.dataset.do];
      if (action) action(graph);
    });
    figure.querySelector(".key").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (!button) return;
      const visible = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", visible);
      Plotly.restyle(graph, { visible: visible ? true : "legendonly" }, button.dataset.traces.split(" ").map(Number));
    });
  };
  const graphs = [];
  const settings = { responsive: true, displayModeBar: false, showTips: false };
  const draw = async ({ id, figure: content }) => {
    const figure = document.getElementById(id);
    const graph = figure.querySelector(".drawing");
    const { data, layout } = themed(content);
    // On touch screens, dragging over a plot scrolls the page.
    await Plotly.newPlot(graph, data, { ...layout, dragmode: touch.matches ? false : "zoom" }, settings);
    wire(figure, graph);
    graphs.push({ graph, content });
  };
  const repaint = () =>
    Promise.all(
      graphs.map(({ graph, content }) => {
        const { data, layout } = themed(content);
        Plotly.Fx.unhover(graph); // a visible label would keep its old colours
        data.forEach((trace, i) => (trace.visible = graph.data[i].visible ?? true));
        return Plotly.react(graph, data, { ...layout, dragmode: graph.layout.dragmode }, settings);
      }),
    );
  const start = async () => {
    for (const plot of page.plots) {
      await draw(plot);
      await new Promise((next) => setTimeout(next)); // lets the browser handle events between two plots
    }
    document.documentElement.dataset.drawn = page.plots.length;
    if (location.hash) reveal();
  };
  dark.addEventListener("change", repaint);
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => {
    printing = true;
    repaint();
    document.querySelectorAll("details:not([open])").forEach((each) => (each.open = each.dataset.opened = true));
  });
  addEventListener("afterprint", () => {
    printing = false;
    repaint();
    document.querySelectorAll("details[data-opened]").forEach((each) => {
      each.open = false;
      delete each.dataset.opened;
    });
  });
  start();
})();
