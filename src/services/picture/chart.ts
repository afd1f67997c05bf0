import { HEIGHT, MARGIN, picture, text, WIDTH, type Theme } from "./draw.js";

/** A value at a moment, in milliseconds since 1970; only the values' proportions matter. */
export interface ChartPoint {
  readonly at: number;
  readonly value: bigint;
}

/** A picture of how something changed. All words come from outside. */
export interface Chart {
  /** What stays as it is until the next point, what moves between points, or what each point adds. */
  readonly form: "steps" | "line" | "bars";
  readonly theme: Theme;
  readonly title: string;
  /** What it is now, in large letters. */
  readonly value: string;
  readonly change?: { readonly label: string; readonly isUp: boolean };
  /** In the order of their times; at least one. */
  readonly points: readonly ChartPoint[];
  /** From where the values are measured: 0 for what fills up, else the lowest of them. */
  readonly floor?: bigint;
  /** What the value is measured against: the whole for what fills up, else the highest of them. */
  readonly ceiling?: bigint;
  readonly highest: string;
  readonly lowest: string;
  readonly from: string;
  readonly to: string;
}

const TOP = 215;
const BOTTOM = 415;
const INNER = WIDTH - 2 * MARGIN;

export function chartPicture(chart: Chart): string {
  const { change, points, theme } = chart;
  const plotted = placed(chart);
  return picture(theme, (color) => {
    const muted = { fill: color("muted") };
    const tone = change === undefined ? "line" : change.isUp ? "up" : "down";
    return [
      text(chart.title, { x: MARGIN, y: 62, size: 34 }, muted),
      text(chart.value, { x: MARGIN, y: 132, size: 60, room: 500 }, { fill: color("text"), isBold: true }),
      change === undefined
        ? ""
        : text(
            change.label,
            { x: WIDTH - MARGIN, y: 130, size: 38, room: 200 },
            { fill: color(tone), isBold: true, anchor: "end" },
          ),
      text(chart.highest, { x: WIDTH - MARGIN, y: TOP - 14, size: 28 }, { ...muted, anchor: "end" }),
      text(chart.lowest, { x: WIDTH - MARGIN, y: BOTTOM + 30, size: 28, room: 320 }, { ...muted, anchor: "end" }),
      guide(TOP, color("muted")),
      guide(BOTTOM, color("muted")),
      chart.form === "bars" ? bars(plotted, color(tone)) : curve(plotted, chart.form, color(tone)),
      text(chart.from, { x: MARGIN, y: HEIGHT - 18, size: 28, room: 350 }, muted),
      points.length > 1
        ? text(chart.to, { x: WIDTH - MARGIN, y: HEIGHT - 18, size: 28, room: 350 }, { ...muted, anchor: "end" })
        : "",
    ];
  });
}

interface Place {
  readonly x: number;
  readonly y: bigint;
}

/** Where the points are on the picture. All alike stand in the middle. */
function placed({ points, floor, ceiling }: Chart): readonly Place[] {
  const values = points.map(({ value }) => value);
  const low = floor ?? values.reduce((least, value) => (value < least ? value : least));
  const high = ceiling ?? values.reduce((most, value) => (value > most ? value : most));
  const [from = 0, to = 0] = [points[0]?.at, points.at(-1)?.at];
  const range = BigInt(BOTTOM - TOP);
  return points.map(({ at, value }) => ({
    x: MARGIN + (to === from ? INNER : Math.round((INNER * (at - from)) / (to - from))),
    y: high === low ? BigInt(TOP) + range / 2n : BigInt(BOTTOM) - ((value - low) * range) / (high - low),
  }));
}

function guide(y: number, color: string): string {
  return `<path d="M${MARGIN} ${y}H${WIDTH - MARGIN}" stroke="${color}" stroke-opacity="0.35" stroke-width="2" stroke-dasharray="4 8"/>`;
}

function curve(places: readonly Place[], form: "steps" | "line", color: string): string {
  const [first, ...others] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return "";
  const next = ({ x, y }: Place) => (form === "steps" ? `H${x}V${y}` : `L${x} ${y}`);
  const path = `M${first.x} ${first.y}${others.map(next).join("")}`;
  return [
    `<path d="${path}V${BOTTOM}H${first.x}Z" fill="${color}" fill-opacity="0.14"/>`,
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="5" stroke-linejoin="round" stroke-linecap="round"/>`,
    `<circle cx="${last.x}" cy="${last.y}" r="9" fill="${color}"/>`,
  ].join("");
}

/** So wide are bars at most. */
const WIDEST_BAR = 60;

function bars(places: readonly Place[], color: string): string {
  const width = Math.min(WIDEST_BAR, Math.floor((0.7 * INNER) / places.length));
  return places
    .map(({ y }, index) => {
      const x = MARGIN + Math.floor((INNER * (2 * index + 1)) / (2 * places.length) - width / 2);
      return `<rect x="${x}" y="${y}" width="${width}" height="${BigInt(BOTTOM) - y}" rx="4" fill="${color}"/>`;
    })
    .join("");
}
