import { distinctColours, ON_EITHER } from "../../src/report/distinct-colours.js";
import { ticks } from "../../src/report/report-view.js";
import { element } from "../element.js";

/** A point of a plot: who measured it, and what it says when it is pointed at. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly text: string;
  /** Whether the point is of another file than the first. */
  readonly isHollow?: boolean;
}

export interface Axis {
  readonly title: string;
  readonly base: 2 | 10;
  readonly text: (value: number) => string;
}

/** The first, chosen by eye for both themes. */
const COLOURS = [
  "#2f6fde",
  "#d1701f",
  "#2f8f4e",
  "#8a4fa3",
  "#c0394b",
  "#5c7a8a",
  "#1b9aaa",
  "#a8871b",
  "#7a5230",
  "#d05b9b",
];
/** In pixels of the screen, so that text keeps its size: a phone has a picture of its own, not a small one. */
const [WIDTH, HEIGHT] = innerWidth < 600 ? [360, 300] : [860, 360];
const [LEFT, BOTTOM, MARGIN] = [innerWidth < 600 ? 48 : 70, 44, 14];
const NEAR = 24;

/** A plot of points on two logarithmic axes; the nearest point to the pointer tells its values. */
export function scatterPlot(title: string, marks: readonly Mark[], xAxis: Axis, yAxis: Axis): HTMLElement {
  const names = [...new Set(marks.map(({ name }) => name))];
  const colours = distinctColours(names.length, COLOURS, ON_EITHER);
  const colourOf = (name: string): string => colours[names.indexOf(name)] as string;
  const [x, y] = [scale(marks, "x", LEFT, WIDTH - MARGIN), scale(marks, "y", HEIGHT - BOTTOM, MARGIN)];
  const svg = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title, class: "plot" });
  drawAxes(svg, marks, xAxis, yAxis, x, y);
  for (const mark of marks) {
    const place = { cx: x(mark.x), cy: y(mark.y), r: 3.2 };
    const colour = colourOf(mark.name);
    const paint = mark.isHollow === true ? { class: "hollow", stroke: colour } : { fill: colour, "fill-opacity": 0.8 };
    svg.append(svgElement("circle", { ...place, ...paint }));
  }
  const halo = svgElement("circle", { r: 7, fill: "none", class: "halo", visibility: "hidden" });
  svg.append(halo);
  const readout = element("p", { class: "readout", role: "status" }, "Point at a mark for its values.");
  const pointAt = (event: PointerEvent): void => {
    const box = svg.getBoundingClientRect();
    const ratio = WIDTH / box.width;
    const [px, py] = [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
    const distance = (mark: Mark): number => Math.hypot(x(mark.x) - px, y(mark.y) - py);
    const near = marks.reduce<Mark | undefined>(
      (best, mark) => (best && distance(best) <= distance(mark) ? best : mark),
      undefined,
    );
    const hit = near !== undefined && distance(near) < NEAR ? near : undefined;
    halo.setAttribute("visibility", hit === undefined ? "hidden" : "visible");
    if (hit === undefined) return;
    halo.setAttribute("cx", String(x(hit.x)));
    halo.setAttribute("cy", String(y(hit.y)));
    readout.textContent = hit.text;
  };
  svg.addEventListener("pointermove", pointAt);
  svg.addEventListener("pointerdown", pointAt); // a finger does not hover
  return element(
    "figure",
    {},
    element("figcaption", {}, title),
    svg as unknown as HTMLElement,
    legend(names, colourOf),
    readout,
  );
}

type Scale = (value: number) => number;

function scale(marks: readonly Mark[], axis: "x" | "y", from: number, to: number): Scale {
  const [least, most] = reach(marks, axis);
  const span = Math.log(most / least) || 1;
  return (value) => from + ((to - from) * Math.log(value / least)) / span;
}

function reach(marks: readonly Mark[], axis: "x" | "y"): readonly [number, number] {
  let [least, most] = [Infinity, 0];
  for (const mark of marks) [least, most] = [Math.min(least, mark[axis]), Math.max(most, mark[axis])];
  return [least / 1.2, most * 1.2];
}

function drawAxes(svg: SVGElement, marks: readonly Mark[], xAxis: Axis, yAxis: Axis, x: Scale, y: Scale): void {
  for (const mark of ticks(...reach(marks, "x"), xAxis.base)) {
    svg.append(svgElement("line", { x1: x(mark), x2: x(mark), y1: MARGIN, y2: HEIGHT - BOTTOM, class: "grid" }));
    svg.append(label(xAxis.text(mark), x(mark), HEIGHT - BOTTOM + 16, "middle"));
  }
  for (const mark of ticks(...reach(marks, "y"), yAxis.base)) {
    svg.append(svgElement("line", { x1: LEFT, x2: WIDTH - MARGIN, y1: y(mark), y2: y(mark), class: "grid" }));
    svg.append(label(yAxis.text(mark), LEFT - 8, y(mark) + 4, "end"));
  }
  svg.append(
    label(xAxis.title, (LEFT + WIDTH) / 2, HEIGHT - 6, "middle"),
    label(yAxis.title, LEFT + 4, MARGIN + 10, "start"),
  );
}

function label(text: string, x: number, y: number, anchor: string): SVGElement {
  const made = svgElement("text", { x, y, "text-anchor": anchor });
  made.textContent = text;
  return made;
}

function legend(names: readonly string[], colourOf: (name: string) => string): HTMLElement {
  const entries = names.map((name) => {
    const swatch = element("span", { class: "swatch" });
    swatch.style.background = colourOf(name);
    return element("li", {}, swatch, name);
  });
  return element("ul", { class: "legend" }, ...entries);
}

function svgElement(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
