import { UNDRAWABLE } from "./fonts.js";

/** Size of a picture in SVG units; a phone that is 390 wide shows it at less than half the size. */
const WIDTH = 800;
const HEIGHT = 500;
const MARGIN = 40;
const INNER = WIDTH - 2 * MARGIN;

const colors = {
  dark: { back: "#17212b", ink: "#f5f7f9", muted: "#9fb0c0", line: "#5eb5f7", up: "#58d68d", down: "#ff8a80" },
  light: { back: "#ffffff", ink: "#17212b", muted: "#566573", line: "#1769aa", up: "#0b7a45", down: "#b3261e" },
} as const;
export type Theme = keyof typeof colors;

/** A picture as SVG for `toPng`. All text in `content` must come from {@link svgText}, which escapes it. */
export function svgOf(back: string, content: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${back}"/>`,
    ...content,
    "</svg>",
  ].join("");
}

/** Upper bound of the average character width in this font, relative to its size. */
const WIDEST = 0.64;
/** The x coordinate of a text with that anchor. */
const ANCHORS = {
  start: { x: MARGIN, anchor: "start" },
  /** Behind a piece of the line that it explains. */
  legend: { x: MARGIN + 64, anchor: "start" },
  middle: { x: WIDTH / 2, anchor: "middle" },
  end: { x: WIDTH - MARGIN, anchor: "end" },
} as const;

interface TextLook {
  readonly y: number;
  readonly size: number;
  readonly fill: string;
  readonly room?: number;
  readonly anchor?: keyof typeof ANCHORS;
  readonly isBold?: boolean;
}

/** One line of text, shrunk if it would be wider than `room`. */
export function svgText(
  content: string,
  { y, fill, room = INNER, anchor = "start", isBold = false, ...look }: TextLook,
) {
  const shown = content.replace(UNDRAWABLE, "?");
  const size = Math.min(look.size, Math.floor(room / (WIDEST * Math.max(1, shown.length))));
  const escaped = shown.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const weight = isBold ? 700 : 400;
  const { x, anchor: aligned } = ANCHORS[anchor];
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${aligned}">${escaped}</text>`;
}

/** A value at a time in milliseconds since 1970; only the proportions between values matter. */
export interface ChartPoint {
  readonly at: number;
  readonly value: bigint;
}

/** A picture of how a value changed over time. The caller supplies all text. */
export interface Chart {
  /** `steps` hold until the next point, a `line` moves between points, and `bars` show what each point adds. */
  readonly form: "steps" | "line" | "bars";
  readonly theme: Theme | undefined;
  readonly title: string;
  /** The current value, in large type. */
  readonly value: string;
  readonly change?: { readonly label: string; readonly isUp: boolean };
  /** In chronological order; at least one. */
  readonly points: readonly ChartPoint[];
  /** Value at the bottom, and of the lower label: 0 for something that fills up; the lowest value by default. */
  readonly floor?: bigint;
  /** Value at the top, and of the upper label: the whole for something that fills up; the highest value by default. */
  readonly ceiling?: bigint;
  readonly highest?: string;
  readonly lowest?: string;
  /** A value to compare with, as a dashed line, in place of those at the highest and lowest. `beside` is at the right. */
  readonly mark?: { readonly value: bigint; readonly label: string; readonly beside?: string | undefined };
  /** Formats the time of the first and last points. */
  readonly dateOf: (at: number) => string;
}

const TOP = 215;
const BOTTOM = 415;

export function chartPicture({ theme = "dark", change, ...chart }: Chart): string {
  const { back, ink, muted, ...tones } = colors[theme];
  const tone = tones[change === undefined ? "line" : change.isUp ? "up" : "down"];
  const [from = 0, to = from] = [chart.points[0]?.at, chart.points.at(-1)?.at];
  const scale = scaleOf(chart);
  const places = placed(chart.points, scale, from, to);
  const [top, bottom] = [scale.yOf(scale.most), scale.yOf(scale.least)];
  const date = { y: HEIGHT - 18, size: 28, room: 350, fill: muted };
  return svgOf(back, [
    svgText(chart.title, { y: 62, size: 34, fill: muted }),
    svgText(chart.value, { y: 132, size: 60, room: 500, fill: ink, isBold: true }),
    change ? svgText(change.label, { anchor: "end", y: 130, size: 38, room: 200, fill: tone, isBold: true }) : "",
    ...(chart.mark === undefined ? extremes(chart, top, bottom, muted) : []),
    chart.form === "bars" ? bars(places, tone) : curve(places, chart.form, tone),
    ...(chart.mark === undefined ? [] : entryLine(chart.mark, scale.yOf(chart.mark.value), ink, tone)),
    svgText(chart.dateOf(from), date),
    places.length > 1 ? svgText(chart.dateOf(to), { ...date, anchor: "end" }) : "",
  ]);
}

function extremes(
  { highest = "", lowest = "" }: Pick<Chart, "highest" | "lowest">,
  top: number,
  bottom: number,
  fill: string,
) {
  return [
    svgText(highest, { anchor: "end", y: top - 14, size: 28, fill }),
    top < bottom ? svgText(lowest, { anchor: "end", y: bottom + 30, size: 28, room: 320, fill }) : "",
    `<path d="M${MARGIN} ${top}h${INNER}M${MARGIN} ${bottom}h${INNER}" stroke="${fill}" stroke-opacity="0.35" stroke-width="2" stroke-dasharray="4 8"/>`,
  ];
}

/** A dashed line, and above the chart what it stands for, behind a piece of it. */
function entryLine({ label, beside = "" }: NonNullable<Chart["mark"]>, y: number, ink: string, tone: string) {
  const dashed = `fill="none" stroke="${ink}" stroke-width="3" stroke-dasharray="12 8"/>`;
  return [
    `<path d="M${MARGIN} ${y}h${INNER}" stroke-opacity="0.8" ${dashed}`,
    `<path d="M${MARGIN} 170h52" stroke-opacity="0.8" ${dashed}`,
    svgText(label, { anchor: "legend", y: 180, size: 30, room: 370, fill: ink }),
    svgText(beside, { anchor: "end", y: 180, size: 30, room: 270, fill: tone }),
  ];
}

type PlacedPoints = ReturnType<typeof placed>;

/** The range is at least one part in this many of the highest value: half a percent mustn't look like a crash. */
const LEAST_RANGE = 200n;

/**
 * The values that are labelled, and where a value is drawn: each label stands at its own value. If all values are equal,
 * they are in the middle.
 */
function scaleOf({ points, floor, ceiling, mark }: Pick<Chart, "points" | "floor" | "ceiling" | "mark">) {
  const values = [...points, ...(mark ? [mark] : [])].map(({ value }) => value);
  const lowest = values.reduce((least, value) => (value < least ? value : least));
  const highest = values.reduce((most, value) => (value > most ? value : most));
  const missing = highest / LEAST_RANGE - (highest - lowest);
  const spare = missing > 0n ? missing / 2n : 0n;
  const [low, high] = [floor ?? lowest - spare, ceiling ?? highest + spare];
  const range = BigInt(BOTTOM - TOP);
  const yOf = (value: bigint) =>
    // oxlint-disable-next-line money/no-floating-point -- a coordinate of at most three digits
    Number(high === low ? BigInt(TOP) + range / 2n : BigInt(BOTTOM) - ((value - low) * range) / (high - low));
  return { least: floor ?? lowest, most: ceiling ?? highest, yOf };
}

function placed(points: Chart["points"], { yOf }: ReturnType<typeof scaleOf>, from: number, to: number) {
  return points.map(({ at, value }) => ({
    x: MARGIN + (to === from ? INNER : Math.round((INNER * (at - from)) / (to - from))),
    y: yOf(value),
  }));
}

function curve(places: PlacedPoints, form: "steps" | "line", color: string): string {
  const [first, ...others] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return "";
  const next = ({ x, y }: PlacedPoints[number]) => (form === "steps" ? `H${x}V${y}` : `L${x} ${y}`);
  const path = `M${first.x} ${first.y}${others.map(next).join("")}`;
  return [
    `<path d="${path}V${BOTTOM}H${first.x}Z" fill="${color}" fill-opacity="0.14"/>`,
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="5" stroke-linejoin="round" stroke-linecap="round"/>`,
    `<circle cx="${last.x}" cy="${last.y}" r="9" fill="${color}"/>`,
  ].join("");
}

/** Maximum width of a bar. */
const WIDEST_BAR = 60;

function bars(places: PlacedPoints, color: string): string {
  const width = Math.min(WIDEST_BAR, Math.floor((0.7 * INNER) / places.length));
  return places
    .map(({ y }, index) => {
      const x = MARGIN + Math.floor((INNER * (2 * index + 1)) / (2 * places.length) - width / 2);
      return `<rect x="${x}" y="${y}" width="${width}" height="${BOTTOM - y}" rx="4" fill="${color}"/>`;
    })
    .join("");
}

type TradeWords = Readonly<Record<"title" | "paid" | "received" | "rate" | "day" | "bot", string>>;

/** A trade to share: nothing on it identifies the user. */
export function tradePicture(words: TradeWords, theme: Theme = "dark"): string {
  const { back, ink, muted, line, up } = colors[theme];
  const middle = WIDTH / 2;
  return svgOf(back, [
    svgText(words.title, { y: 70, size: 36, fill: muted }),
    svgText(words.paid, { anchor: "middle", y: 190, size: 62, fill: ink, isBold: true }),
    `<path d="M${middle} 218V262M${middle - 18} 244L${middle} 264L${middle + 18} 244" fill="none" stroke="${line}" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>`,
    svgText(words.received, { anchor: "middle", y: 335, size: 62, fill: up, isBold: true }),
    svgText(words.rate, { anchor: "middle", y: 396, size: 30, fill: muted }),
    svgText(words.day, { y: HEIGHT - 28, size: 30, room: 250, fill: muted }),
    svgText(words.bot, { anchor: "end", y: HEIGHT - 28, size: 30, room: 440, fill: line, isBold: true }),
  ]);
}

interface FiguresWords {
  readonly title: string;
  readonly figures: readonly {
    readonly label: string;
    readonly value: string;
    readonly tone?: "up" | "down" | undefined;
  }[];
}

/** A few figures below each other, three at most. */
export function figuresPicture({ title, figures }: FiguresWords, theme: Theme = "dark"): string {
  const { back, ink, muted, line, ...tones } = colors[theme];
  const rows = figures.flatMap(({ label, value, tone }, index) => {
    const y = 190 + index * 118;
    return [
      `<path d="M${MARGIN} ${y - 78}h${INNER}" stroke="${line}" stroke-opacity="0.35" stroke-width="2"/>`,
      svgText(label, { y, size: 28, room: 345, fill: muted }),
      svgText(value, { anchor: "end", y, size: 52, room: 370, fill: tone ? tones[tone] : ink, isBold: true }),
    ];
  });
  return svgOf(back, [svgText(title, { y: 66, size: 36, fill: muted }), ...rows]);
}
