/**
 * Writes docs/exchange-orders.md from the parsers of ccxt, and the answers in their comments:
 *
 *     npm install --ignore-scripts --prefix FOLDER ccxt@4.5.84
 *     node --import tsx scripts/exchange-orders.ts FOLDER
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isFinalStatus, progressOf, readStatus } from "../src/services/alerts/order-status.js";
import { readOrder } from "../src/services/alerts/exchange-client.js";

interface Parser {
  readonly parseOrder?: (order: object) => unknown;
  readonly parseOrderStatus?: (word: string) => unknown;
}
type Ccxt = { readonly exchanges: readonly string[] } & Readonly<Record<string, new () => Parser>>;

const folder = join(resolve(process.argv[2] ?? "."), "node_modules", "ccxt");
const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
const { default: ccxt } = (await import(pathToFileURL(join(folder, "js", "ccxt.js")).href)) as { default: Ccxt };

/** Methods that exchanges have from one another count once, for the exchange that has them of its own. */
function owners(method: keyof Parser): Map<string, { parser: Parser; source: string }> {
  const found = new Map<string, { parser: Parser; source: string }>();
  for (const id of ccxt.exchanges) {
    const Exchange = ccxt[id];
    if (Exchange === undefined) continue;
    const parser = new Exchange();
    let owner: object = parser;
    while (!Object.hasOwn(owner, method) && Object.getPrototypeOf(owner) !== null) {
      owner = Object.getPrototypeOf(owner) as object;
    }
    const name = owner.constructor.name;
    const own = parser[method];
    if (own !== undefined && name !== "Exchange" && name !== "Object")
      found.set(name, { parser, source: own.toString() });
  }
  return found;
}

/** Words that differ only in case, in what stands between their parts, or in the British spelling are one. */
const keyOf = (word: string) =>
  word
    .toLowerCase()
    .replace(/[^a-z0-9-]|(?<=.)-/g, "")
    .replace("cancelled", "canceled"); // prettier-ignore
const meanings = ["open", "filled", "ended", "unclear"] as const;
type Meaning = (typeof meanings)[number];

function meaningOf(reading: unknown): Meaning {
  switch (reading) {
    case "open":
      return "open";
    case "closed":
    case "filled":
      return "filled";
    case "canceled":
    case "expired":
    case "failed":
    case "rejected":
      return "ended";
    default:
      return "unclear";
  }
}

interface Word {
  readonly written: Map<string, number>;
  readonly exchanges: Record<Meaning, Set<string>>;
}

const statuses = owners("parseOrderStatus");
const words = new Map<string, Word>();
for (const [exchange, { parser, source }] of statuses) {
  for (const [, quoted, plain = ""] of source.matchAll(/^\s*(?:'([^']+)'|([A-Za-z_]\w*))\s*:\s*\S/gm)) {
    const word = quoted ?? plain;
    if (word === "default") continue;
    const entry = words.get(keyOf(word)) ?? {
      written: new Map<string, number>(),
      exchanges: { open: new Set(), filled: new Set(), ended: new Set(), unclear: new Set() },
    };
    words.set(keyOf(word), entry);
    entry.written.set(word, (entry.written.get(word) ?? 0) + 1);
    entry.exchanges[meaningOf(parser.parseOrderStatus?.(word))].add(exchange);
  }
}

const total = ({ exchanges }: Word) => new Set(meanings.flatMap((meaning) => [...exchanges[meaning]])).size;
const listed = [...words.values()].sort((one, other) => total(other) - total(one));
const nameOf = ({ written }: Word) => [...written].sort(([, one], [, other]) => other - one)[0]?.[0] ?? "";
const isNumber = (word: Word) => /[0-9]/.test(nameOf(word));
const all = { filled: "1", quantity: "1" };

const statusRow = (word: Word) =>
  `| \`${nameOf(word)}\` | ${meanings.map((meaning) => word.exchanges[meaning].size || "").join(" | ")} | ${howRead(nameOf(word))} |`;
function howRead(word: string): string {
  const status = readStatus(word, all);
  if (/^(?:OPEN|PARTIALLY|DONE|CANCELED|EXPIRED|REJECTED|FAILED)$/.test(status)) return `\`${status}\``;
  return isFinalStatus({ status })
    ? "as it came: over"
    : progressOf({ status }) === 0
      ? "as it came: open"
      : "as it came";
}

const fields = {
  averagePrice:
    /^(?:avg|average)(?:Px|_?(?:exec(?:ution)?|executed|deal|fill(?:ed)?))?(?:_?price)?$|^price_?average$|^filled_avg_price$/i,
  createdAt:
    /^(?:c|u|create|created|update|updated|insert|order|transact|creation|receive|received|last_?update|place|placed|submit)_?(?:time|date|at|timestamp)?(?:_?ns|_?ms|stamp)?$/i,
  fee: /^(?:total_?|fill_?|accumulated_?|paid_?|cum_?|deal_?|exec_?|executed_?)?(?:fees?|commission)$/i,
  filled:
    /^(?:filled|executed|deal|traded|cum|accFill|exec|match)_?\w*(?:qty|quantity|size|amount|volume|sz|stock)$|^filled$/i,
  price: /^(?:limit_?)?(?:price|px)$/i,
  quantity: /^(?:orig_?|order_?)?(?:qty|quantity|amount|size|sz|volume)$/i,
};
type Field = keyof typeof fields;

function formOf(text: string): string | undefined {
  const quoted = /^(['"])(.*)\1$/.exec(text);
  const value = quoted?.[2] ?? text;
  const how = quoted ? "text" : "number";
  if (value === "") return quoted ? "empty text" : undefined;
  if (value === "null") return quoted ? undefined : "null";
  const zone = /^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+(.*)$/.exec(value)?.[1];
  if (zone !== undefined) return zone === "" ? "date without zone" : zone === "Z" ? "date in UTC" : "date with offset";
  if (/^-?[0-9.]+e[+-]?[0-9]+$/i.test(value)) return `${how} with exponent`;
  if (!/^-?[0-9]+(?:\.[0-9]+)?$/.test(value)) return undefined;
  return value.startsWith("-") ? `${how}, negative` : /^[0.]+$/.test(value) ? `${how}, zero` : how;
}

const counted: Readonly<Record<number, string>> = {
  10: "seconds",
  13: "milliseconds",
  16: "microseconds",
  19: "nanoseconds",
};

interface Sample {
  readonly example: string;
  count: number;
  readonly exchanges: Set<string>;
}
const samples = new Map<string, Sample>();
const orders = owners("parseOrder");
for (const [exchange, { source }] of orders) {
  for (const [, name = "", value = ""] of source.matchAll(
    /^\s*\/\/\s*['"]?(\w+)['"]?\s*:\s*(.*?),?\s*(?:\/\/.*)?$/gm,
  )) {
    for (const [field, names] of Object.entries(fields)) {
      const form = names.test(name) ? formOf(value) : undefined;
      if (form === undefined) continue;
      const digits = /[0-9]+/.exec(value)?.[0].length ?? 0;
      const isCounted = field === "createdAt" && /^(?:text|number)$/.test(form);
      const unit = isCounted
        ? `${form}, ${counted[digits] ?? `${digits} digits`}${value.includes(".") ? " with a fraction" : ""}`
        : form;
      const key = `${field}\t${unit}`;
      const sample = samples.get(key) ?? {
        example: value.replace(/^'|'$/g, '"'),
        count: 0,
        exchanges: new Set<string>(),
      };
      samples.set(key, sample);
      sample.count++;
      sample.exchanges.add(exchange);
    }
  }
}

const id = "00000000-0000-4000-8000-000000000001";
function readAs(field: Field, example: string): string {
  const plain = { orderId: `"${id}"`, status: '"OPEN"', symbol: '"A-B"', side: '"BUY"', quantity: "1", filled: "0" };
  const data = Object.entries({ ...plain, [field]: example }).map(([name, value]) => `"${name}":${value}`);
  const text = `{"success":true,"data":{${data.join(",")}}}`;
  try {
    const value = readOrder(text, id)[field];
    return value === undefined || (field === "quantity" && Number(value) === 0) ? "unknown" : `\`${value}\``;
  } catch {
    return "refused";
  }
}

const sampleRows = [...samples]
  .map(([key, sample]) => ({ field: key.split("\t")[0] as Field, form: key.split("\t")[1] ?? "", ...sample }))
  .sort((one, other) => one.field.localeCompare(other.field, "en") || other.count - one.count)
  .map(
    ({ field, form, example, count, exchanges }) =>
      `| \`${field}\` | ${form} | ${count} | ${exchanges.size} | \`${example}\` | ${readAs(field, example)} |`,
  );

const timeUnits = {
  seconds: /safeTimestamp|safeIntegerProduct\w*\([^)]*, 1000\)/,
  milliseconds: /safeInteger[2N]?\(/,
  microseconds: /safeIntegerProduct\w*\([^)]*, 0\.001\)/,
  nanoseconds: /safeIntegerProduct\w*\([^)]*, 0\.000001\)/,
  "a date": /parse8601|parseDate|datetime = this\.safeString/,
};
const timeLines = ({ source }: { source: string }) =>
  [...source.matchAll(/^\s*(?:const|let)?\s*\w*(?:time|timestamp|datetime|created_?at)\w*\s*=[^\n]*/gim)]
    .map(([line]) => line)
    .join("\n");
const unitsOf = [...orders].map(([exchange, order]) => ({
  exchange,
  units: Object.entries(timeUnits)
    .filter(([, call]) => call.test(timeLines(order)))
    .map(([unit]) => unit),
}));
const unitRows = Object.keys(timeUnits).map(
  (unit) => `| ${unit} | ${unitsOf.filter(({ units }) => units.includes(unit)).length} |`,
);
const negated = [...orders].filter(([, { source }]) => /stringNeg\(\s*\w*fee/i.test(source)).map(([name]) => name);

const numbers = listed.filter(isNumber);
const torn = numbers.filter(({ exchanges }) => meanings.filter((meaning) => exchanges[meaning].size > 0).length > 1);
const wordsOnly = listed.filter((word) => !isNumber(word));
const differing = wordsOnly.filter(
  ({ exchanges }) => meanings.filter((meaning) => exchanges[meaning].size > 0).length > 1,
);
const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
}).format(new Date());

writeFileSync(
  join(import.meta.dirname, "..", "docs", "exchange-orders.md"),
  `# Orders of real exchanges

The interface of the exchange names four statuses, and decimal text for figures. A service that follows it may still write them as others do, so
this is how the exchanges that [ccxt](https://www.npmjs.com/package/ccxt) ${version} reads write theirs, and what Swapdesk makes of it in the interface's
fields. \`scripts/exchange-orders.ts\` made this page on ${day}, from the package's own parsers and the answers in their comments;
\`test/services/alerts/order-status.test.ts\` holds the bot to it.

## Statuses

${statuses.size} exchanges have a table of their own, with ${wordsOnly.length} words and ${numbers.length} numbers; upper and lower case, what stands between a word's
parts, and "cancelled" make no difference. The columns count the exchanges for which ccxt takes a word as an open order, a filled one, one that
ended otherwise, or none of these; ${differing.length} words mean different things at different exchanges, and ${torn.length} of the numbers.

A word is known if all that write it, and at least two, mean the same. Then:

- An open order's is \`OPEN\` or \`PARTIALLY\`; one that says more, such as that it waits for a trigger, is shown as it came.
- An end's is \`DONE\`, \`CANCELED\`, \`EXPIRED\`, \`REJECTED\` or \`FAILED\`, and ends the watch. A word for \`DONE\` must be borne out by the figures: all is
  filled. If not, it is shown as it came, and polled on at the slowest pace, as \`closed\` and \`done\` are also written of cancelled orders.
- One exchange is enough for words that begin with \`canceled\` or \`expired\` and add why, which are shown as they came.
- \`CANCEL_SENT\` and \`CANCEL_ALL_SENT\` say that a cancellation was asked for, not that it came in time: shown as they came.

Every other word, and every number, is shown as it came, and polled on: an order is never taken to be over by a word that means "open" elsewhere.

| written | open | filled | ended | unclear | read as |
|---|---|---|---|---|---|
${wordsOnly.map(statusRow).join("\n")}

Numbers: ${numbers.map((word) => `\`${nameOf(word)}\` (${meanings.flatMap((meaning) => (word.exchanges[meaning].size > 0 ? `${meaning} ${word.exchanges[meaning].size}` : [])).join(", ")})`).join(", ")}.

## Figures and times

How often each form stands in the answers that the ${orders.size} parsers of orders have in their comments, at how many exchanges, with one example of
each and what Swapdesk reads if it stands in the interface's field.

| field | form | times | exchanges | example | read as |
|---|---|---|---|---|---|
${sampleRows.join("\n")}

What the parsers expect of an order's time; one exchange may have several:

| unit | exchanges |
|---|---|
${unitRows.join("\n")}

- A time is read if its digits say its unit: ten are seconds, 13 milliseconds, 16 microseconds, 19 nanoseconds. A date needs a zone: at some
  exchanges a date without one is in UTC, at others in that of the exchange, so it is shown as it came, and orders nothing.
- A price or average of 0, empty or null is unknown. So is such a quantity, as for orders that spend a sum at the market; then, and where more
  is filled than was ordered, an amount is shown instead of a share.
- A negative fee is shown as it came: ${negated.length} parsers (${negated.join(", ")}) turn the sign of what is charged, elsewhere it is a rebate.
- A negative amount, a missing \`filled\`, a status that is no text or number, and any other shape are refused in words.
`,
);
