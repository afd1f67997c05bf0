import { Decimal } from "./decimal.js";

/** What stands before the decimals of a number, as a language writes it. */
export type DecimalMark = "." | ",";

/** Three digits behind a single mark: thousands, or three decimals. */
const ONE_GROUP = /^[1-9][0-9]{0,2}([.,])[0-9]{3}$/;
/** Marks that can mean one thing only: both are there, or one of them more than once. */
const GROUPED = /^[0-9]{1,3}(?:(?:,[0-9]{3})+\.[0-9]+|(?:\.[0-9]{3})+,[0-9]+|(?:,[0-9]{3}){2,}|(?:\.[0-9]{3}){2,})$/;
const LONGEST = 120;

/**
 * The numbers in a line that a person typed as plain decimal text (`1234.5`), by what is usual in their language: `1,000` is a
 * thousand where decimals stand behind a point; where they stand behind a comma, `1,5` is one and a half. `1k` is a thousand.
 * What can mean two things keeps, or gets, its comma, which {@link parseAmount} refuses with both readings: where decimals
 * stand behind a comma that is `1,000` as well as `1.000`, since this bot itself writes a point.
 */
export function plainNumbers(line: string, mark: DecimalMark): string {
  return line
    .replace(/(?<=[0-9])[ \u00a0\u202f]{1,3}(?=%)/g, "")
    .split(/([\s=]+)/)
    .map((word) => plainNumber(word, mark))
    .join("");
}

function plainNumber(word: string, mark: DecimalMark): string {
  const [, number, thousands = "", percent = ""] = /^([0-9.,]*[0-9])(k?)(%?)$/i.exec(word) ?? [];
  if (number === undefined || word.length > LONGEST) return word;
  const plain = withPoint(number, mark);
  if (thousands === "") return plain + percent;
  return percent === "" && /^[0-9]*\.?[0-9]+$/.test(plain) ? new Decimal(plain).times(1000).toFixed() : word;
}

function withPoint(number: string, mark: DecimalMark): string {
  if (GROUPED.test(number)) {
    const marks = number.replace(/[0-9]/g, "");
    const last = marks.at(-1) ?? "";
    const isOneKind = !marks.includes(last === "," ? "." : ",");
    const [whole = "", decimals] = isOneKind ? [number] : number.split(last);
    return [whole.replace(/[.,]/g, ""), ...(decimals === undefined ? [] : [decimals])].join(".");
  }
  const [, single] = ONE_GROUP.exec(number) ?? [];
  if (single !== undefined) {
    if (mark === ",") return number.replace(".", ",");
    return single === "," ? number.replace(",", "") : number;
  }
  return mark === "," && /^[0-9]*,[0-9]+$/.test(number) ? number.replace(",", ".") : number;
}
