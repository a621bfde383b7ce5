/** A plot over time (uPlot), with its lines told apart by stroke and by name, and its figures as a table for who asks. */
import { h } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { clock } from "../format.js";

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {(number | null)[]} values
 * @property {string} color name of a colour of the style
 * @property {number[]} dash
 */

const HEIGHT = 190;

/** Strokes of lines that have no meaning of their own. */
export const STROKES = [
  { color: "--link", dash: [] },
  { color: "--yield", dash: [6, 3] },
  { color: "--execute", dash: [2, 3] },
  { color: "--regenerate", dash: [10, 4] },
  { color: "--warn", dash: [8, 3, 2, 3] },
  { color: "--soft", dash: [3, 6] },
  { color: "--ink", dash: [14, 4] },
  { color: "--link", dash: [1, 4] },
];

/**
 * A colour of the style as the canvas needs it: `light-dark()` is only resolved on an element.
 * @param {string} name
 */
function color(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

/**
 * @param {{title: string, at: number[], lines: Line[], max?: number, digits: number}} props `at` in seconds since 1970
 */
export function Plot({ title, at, lines, max, digits }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const plot = useRef(/** @type {uPlot | undefined} */ (undefined));
  const shape = lines.map((line) => line.name).join("\n");

  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const build = () => {
      plot.current?.destroy();
      const ink = color("--soft");
      const grid = { stroke: color("--line"), width: 1 };
      /** @type {uPlot.Axis} */
      const axis = { stroke: ink, grid, ticks: grid, font: "12px system-ui, sans-serif" };
      plot.current = new uPlot(
        {
          width: Math.max(200, element.clientWidth),
          height: HEIGHT,
          legend: { show: false },
          cursor: { show: false },
          scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, max ?? Math.max(1, high * 1.1)] } },
          axes: [{ ...axis, values: (_plot, ticks) => ticks.map((tick) => clock(tick * 1_000)), space: 90 }, { ...axis, size: 44, values: (_plot, ticks) => ticks.map((tick) => tick.toFixed(digits)) }],
          series: [
            {},
            ...lines.map((line) => ({
              label: line.name,
              stroke: color(line.color),
              width: 1.6,
              dash: line.dash,
              spanGaps: true,
              points: { show: line.values.filter((value) => value !== null).length < 3 },
            })),
          ],
        },
        [at, ...lines.map((line) => line.values)],
        element,
      );
    };
    build();
    const wide = new ResizeObserver(() => plot.current?.setSize({ width: Math.max(200, element.clientWidth), height: HEIGHT }));
    wide.observe(element);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", build);
    return () => {
      wide.disconnect();
      dark.removeEventListener("change", build);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [shape, max, digits]);

  useEffect(() => plot.current?.setData([at, ...lines.map((line) => line.values)]), [at, lines]);

  return h(
    "figure",
    { class: "panel plot" },
    h("figcaption", null, h("h2", null, title)),
    h("div", { class: "canvas", ref: place, "aria-hidden": "true" }),
    h("ul", { class: "legend", "aria-label": "Lines" }, lines.map((line) => h("li", { key: line.name }, h(Stroke, { line }), " ", h("bdi", null, line.name), " ", last(line, digits)))),
  );
}

/**
 * @param {Line} line
 * @param {number} digits
 */
function last(line, digits) {
  const value = line.values.findLast((each) => each !== null);
  return h("span", { class: "t" }, value === undefined || value === null ? "–" : value.toFixed(digits));
}

/** @param {{line: Line}} props */
function Stroke({ line }) {
  return h(
    "svg",
    { width: 34, height: 8, "aria-hidden": "true" },
    h("line", { x1: 0, x2: 34, y1: 4, y2: 4, "stroke-width": 2, "stroke-dasharray": line.dash.join(" "), ref: (/** @type {SVGElement | null} */ element) => element?.style.setProperty("stroke", `var(${line.color})`) }),
  );
}
