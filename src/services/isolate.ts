/** Letters and digits that are written from right to left, and what else their scripts have. */
const RIGHT_TO_LEFT = "[\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}]";
/** As much of a line as is written that way, with what joins its words. */
const RUN = new RegExp(`${RIGHT_TO_LEFT}+(?:[^\\p{L}\\p{N}\\n]*${RIGHT_TO_LEFT}+)*`, "gu");

const BEGIN = "\u2068";
const END = "\u2069";

/** The text with every run from right to left between marks, so that it turns no figure beside it around (Unicode UAX #9). */
export function isolated(text: string): string {
  return text.replace(RUN, (run) => `${BEGIN}${run}${END}`);
}

/** Where a stretch of the text lies once it is isolated, with the marks of the runs in it. */
export function placeIn(text: string): (stretch: Stretch) => Stretch {
  const runs = [...text.matchAll(RUN)].map(({ index, 0: run }) => ({ from: index, to: index + run.length }));
  const moved = (at: number) =>
    at + runs.filter(({ from }) => from < at).length + runs.filter(({ to }) => to <= at).length;
  return ({ offset, length }) => ({ offset: moved(offset), length: moved(offset + length) - moved(offset) });
}

interface Stretch {
  readonly offset: number;
  readonly length: number;
}
