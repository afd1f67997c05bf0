import { expect, it } from "vitest";
import { withIssuers } from "../../sandbox/issuers.js";
import { readCsv } from "../support/read-csv.js";
import { defaultWorld, nextFile, sandboxDesk } from "../support/sandbox-desk.js";
import { seededRandom } from "../support/seed.js";
import { until } from "../support/until.js";

const moon = "MOON-4R7T";
/** What a unit of each counts for at the end, in units of KLV. */
const prices: Readonly<Record<string, bigint>> = { [moon]: 20n, KFI: 100n };
const isFull = process.env["FULL"] !== undefined;
const TRADES = isFull ? 500 : 8;

const CARD = /You get (?:about|exactly)|Too many requests/;

const unitsIn = (text = "") => {
  const [whole = "0", part = ""] = text.replace("-", "").split(".");
  return BigInt(whole + part.padEnd(6, "0")) * (text.startsWith("-") ? -1n : 1n);
};

it("realised gains and what is still held come to what the account is worth, whatever issuers take", {
  timeout: isFull ? 1_200_000 : 60_000,
}, async () => {
  const random = seededRandom("books");
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  // A cent would be asked about, as it is more than a twentieth: a share in two bands, and an amount of KLV.
  const world = withIssuers(defaultWorld);
  const TransferPercentage = [
    { Amount: "5000000", Percentage: 200 },
    { Amount: "100000000000", Percentage: 50 },
  ];
  const issued = { ...world.issued?.[moon], Royalties: { TransferFixed: "500000", TransferPercentage } };
  const desk = await sandboxDesk({ world: { ...world, issued: { ...world.issued, [moon]: issued } } });
  const alice = await desk.trader();
  const before = alice.holds();
  /** What the books know of. */
  const heldOf = (token: string) => (alice.holds()[token] ?? 0n) - (before[token] ?? 0n) - (unbooked.get(token) ?? 0n);
  /** One a second is allowed for long. */
  const offered = async (line: string) => {
    let card = await alice.asks(line, CARD);
    await until(async () => {
      if (card.text.startsWith("Too many")) card = await alice.asks(line, CARD);
      return !card.text.startsWith("Too many");
    });
    return card;
  };
  /** What trades have moved whose answers were lost, and that nobody has checked: they are in no book. */
  const unbooked = new Map<string, bigint>();
  let unknown = 0;
  const losesOne = async (line: string) => {
    const held = alice.holds();
    const card = await offered(line);
    desk.sandbox.faults.set("calls", "drop-after");
    await alice.confirms(card, /Outcome unknown/);
    desk.sandbox.faults.set("calls", undefined);
    const now = alice.holds();
    for (const token of ["KLV", ...Object.keys(prices)])
      unbooked.set(token, (unbooked.get(token) ?? 0n) + (now[token] ?? 0n) - (held[token] ?? 0n));
    unknown += 1;
  };
  let sold = 0;
  for (let done = 0; done < TRADES; done += 1) {
    const token = random() < 0.6 ? moon : "KFI";
    // Of unknown amounts, and at most so much: what is bought stays, and what it cost counts nowhere.
    if (done % 25 === 3) await losesOne(`/swap ${90 + upTo(20)} KLV ${token}`);
    if (done % 25 === 5) await losesOne(`/multihop any KLV ${token}=${upTo(3)}`);
    const mayBuy = (alice.holds()["KLV"] ?? 0n) > 1_000_000_000n;
    const isSale = heldOf(token) > 2_000_000n && (done % 2 === 1 || !mayBuy);
    // In hundredths, and never more than was bought here.
    const part = (heldOf(token) * BigInt(upTo(80))) / 100n / 10_000n;
    const units = `${part / 100n}.${String(part % 100n).padStart(2, "0")}`;
    const kind = random() < 0.7 ? "swap" : "multihop";
    const line = isSale ? `/${kind} ${units} ${token} KLV` : `/${kind} ${90 + upTo(200)} KLV ${token}`;
    // One that follows another at once isn't proven by balances, but counts by what was reported.
    await alice.confirms(await offered(line), /(?:Swap|Route) completed|not yet confirmed/);
    sold += isSale ? 1 : 0;
  }
  expect(sold).toBeGreaterThan(0);
  const after = alice.holds();
  const rows = readCsv(await (await nextFile(desk, alice, async () => alice.says("/portfolio csv"))).text());
  const sumOf = (of: (row: (typeof rows)[number]) => bigint) => rows.reduce((sum, row) => sum + of(row), 0n);
  const realised = sumOf((row) => unitsIn(row["realised"]));
  const open = sumOf((row) => {
    const price = prices[row["token"] ?? ""];
    return price === undefined ? 0n : price * unitsIn(row["cost_known_for"]) - unitsIn(row["cost"]);
  });
  const worth = Object.entries({ KLV: 1n, ...prices }).reduce(
    (sum, [token, price]) => sum + price * ((after[token] ?? 0n) - (before[token] ?? 0n) - (unbooked.get(token) ?? 0n)),
    0n,
  );
  expect(unknown).toBeGreaterThan(1);
  await alice.asks(
    "/portfolio",
    new RegExp(`\\b${unknown} trades aren't counted: their outcome or amounts are unknown`),
  );
  const apart = realised + open - worth;
  expect(apart < 0n ? -apart : apart).toBeLessThanOrEqual(BigInt(TRADES));
});
