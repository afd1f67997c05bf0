import { variables } from "./config.js";

/** Variables that other programs read from the same `.env`: those of the compose files. */
const OTHERS = new Set(["DOMAIN", "POSTGRES_PASSWORD"]);

/** What earlier versions read, and why it isn't needed any more. */
const RETIRED: Readonly<Record<string, string>> = {
  NODE_FEED_URL: "what happens on the chain is read from the blocks of NODE_URL",
  WARN_IMPACT_BPS: "a quote warns from 3% below the pool price on",
  MAX_IMPACT_BPS: "a quote asks once more from 15% below the pool price on",
};

/** A name that isn't one of ours, with the variable that it may be meant for. */
export interface UnknownVariable {
  readonly name: string;
  readonly meant?: string;
  /** Whether it stands in `.env`, so close to a variable that is unset that it can hardly be meant for anything else. */
  readonly isFault: boolean;
}

/** Letters that may be wrong, missing or too many in a typo. */
const TYPO = 2;
/** Share of a name's letters that may differ for it to be worth a question. */
const LIKENESS = 0.35;

/**
 * Names that Swapdesk doesn't read: all in the file; in the environment, which has much that is others', typos and what
 * was read once.
 * @param env the environment, with what the file adds to it.
 */
export function unknownVariables(
  file: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): readonly UnknownVariable[] {
  const isOther = (name: string) => !Object.hasOwn(variables, name) && !OTHERS.has(name);
  return Object.keys({ ...file, ...env })
    .filter(isOther)
    .flatMap((name) => {
      const isInFile = Object.hasOwn(file, name);
      if (Object.hasOwn(RETIRED, name)) return env[name]?.trim() || isInFile ? [{ name, isFault: false }] : [];
      // Of the environment's, most are far from all of ours by their length alone.
      const nearest = nearestTo(name, isInFile ? Number.POSITIVE_INFINITY : TYPO);
      if (nearest === undefined) return [];
      const { known, distance } = nearest;
      const { length } = lettersOf(known);
      const isTypo = distance <= Math.min(TYPO, length / 4) && !env[known]?.trim();
      if (!isInFile && !isTypo) return [];
      const whole = Object.keys(variables).find((one) => isPartOf(one, name) || isPartOf(name, one));
      const begun = Object.keys(variables).find(
        (one) => beginningOf(one) !== "" && beginningOf(one) === beginningOf(name),
      );
      const meant = isTypo ? known : (whole ?? begun ?? (distance <= length * LIKENESS ? known : undefined));
      return [{ name, isFault: isInFile && isTypo, ...(meant !== undefined && { meant }) }];
    });
}

/** As the faults of the configuration are written: the name, then what is wrong. */
export function unknownSentence({ name, meant }: UnknownVariable): string {
  if (Object.hasOwn(RETIRED, name)) return `${name} is no longer needed: ${RETIRED[name]}`;
  return `${name} is no variable of Swapdesk${meant === undefined ? "" : `: did you mean ${meant}?`}`;
}

/** @param most letters by which the name's length may differ. */
function nearestTo(name: string, most: number) {
  const letters = lettersOf(name);
  const all = Object.keys(variables)
    .map((known) => ({ known, others: lettersOf(known) }))
    .filter(({ others }) => Math.abs(others.length - letters.length) <= most)
    .map(({ known, others }) => ({ known, distance: distanceOf(letters, others) }));
  return all.toSorted((one, other) => one.distance - other.distance)[0];
}

const lettersOf = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** Whether a name of at least two words is within another one, as BOT_TOKEN is in TELEGRAM_BOT_TOKEN. */
const isPartOf = (part: string, whole: string): boolean =>
  part.includes("_") && whole.toUpperCase().includes(part.toUpperCase());

/** The words before the last one, if there are at least two, as in MAX_SLIPPAGE_BPS. */
const beginningOf = (name: string): string => /^(.+_.+)_[^_]+$/.exec(name.toUpperCase())?.[1] ?? "";

/** How many letters have to be changed, added or removed to get from one text to the other (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of Array.from(one).entries()) {
    const row = [index + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const [left, up, corner] = [row[column - 1] ?? 0, above[column] ?? 0, above[column - 1] ?? 0];
      row.push(Math.min(left + 1, up + 1, corner + (letter === other[column - 1] ? 0 : 1)));
    }
    above = row;
  }
  return above[other.length] ?? 0;
}
