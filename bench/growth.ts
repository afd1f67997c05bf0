// How much of the disk trades take: those of 1,000 people with ten trades a day each, for six days, with the store as it is
// in use. Each trade is packed two days after its end, or, for comparison, none is. The last half of the days says how much a day
// adds; a copy, what the same takes in a file that is filled anew.
// Run from the root of the project: npx tsx bench/growth.ts
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { amountOf } from "../src/encoding/amount.js";
import type { Intent } from "../src/services/intent/intent.js";
import { insertIntent, packDue } from "../src/services/intent/intent-row.js";
import { backUp } from "../src/store/copies.js";
import { DATA_FILE, openDatabase, queriesOver, statementsOf } from "../src/store/database.js";
import { intent, swapTerms } from "../test/cards/arrange.js";
import { klv } from "../test/services/samples.js";
import { preparedTransaction, walletTransaction } from "../test/support/wallet-transaction.js";

const [PEOPLE, DAYS, DAY_MS] = [1_000, 6, 86_400_000];
const A_DAY = PEOPLE * 10;
/** As many as the bot packs at a time. */
const LOT = 20;

const plain = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });
const { raw } = preparedTransaction();

function tradeAt(at: number, index: number, kind: string): Intent {
  const units = BigInt(index);
  return {
    ...plain,
    id: randomBytes(16).toString("base64url"),
    owner: 100_000_000 + (index % PEOPLE),
    messageId: 10 + Math.floor(index / PEOPLE),
    quotedAt: at,
    times: { QUOTED: at, CLAIMED: at + 9_000, SENT: at + 10_000 + (index % 700), OK: at + 12_000 + (index % 900) },
    balances: {
      before: { KLV: 5_000_000_000n + units, KFI: 7_000_000n + units },
      after: { KLV: 4_900_000_000n + units, KFI: 7_991_995n + units },
      finding: "arrived",
    },
    ...(kind === "signed swaps" && {
      transaction: walletTransaction(
        { phase: "on-chain", signature: randomBytes(64).toString("hex") },
        {
          raw: { ...raw, Sender: randomBytes(32).toString("base64") },
          hash: randomBytes(32).toString("hex"),
          token: randomBytes(32).toString("base64url"),
          nonce: BigInt(Math.floor(index / PEOPLE)),
          networkFee: amountOf(klv, 6_000_000n),
          signUntil: at + 60_000,
          sendUntil: at + 300_000,
        },
      ),
    }),
  };
}

for (const kind of ["swaps", "signed swaps"]) {
  for (const isPacked of [false, true]) {
    const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
    const file = join(directory, DATA_FILE);
    const data = openDatabase(file);
    data.exec("PRAGMA synchronous = OFF");
    const tx = queriesOver(statementsOf(data));
    const sizes: number[] = [];
    for (let day = 0; day < DAYS; day += 1) {
      for (let from = 0; from < A_DAY; from += LOT) {
        const now = Date.UTC(2026, 0, 1 + day) + (from * DAY_MS) / A_DAY;
        data.exec("BEGIN");
        for (let index = 0; index < LOT; index += 1) {
          await insertIntent(tx, tradeAt(now, day * A_DAY + from + index, kind));
        }
        data.exec("COMMIT");
        // Every hour, as many lots as are due.
        const lots = isPacked && now % (DAY_MS / 24) < (LOT * DAY_MS) / A_DAY ? 30 : 0;
        for (let lot = 0; lot < lots; lot += 1) {
          data.exec("BEGIN");
          await packDue(tx, 0, now, LOT);
          data.exec("COMMIT");
        }
      }
      data.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      sizes.push((await stat(file)).size);
    }
    const half = sizes[DAYS / 2 - 1] ?? 0;
    const grown = ((sizes.at(-1) ?? 0) - half) / (DAYS / 2);
    // All that is left.
    for (let lot = 0; isPacked && lot < (3 * A_DAY) / LOT; lot += 1) await packDue(tx, 0, Date.UTC(2027), LOT);
    data.close();
    await backUp(directory, join(directory, "copy"));
    const copied = (await stat(join(directory, "copy"))).size / (A_DAY * DAYS);
    console.log(
      `${kind}, ${isPacked ? "packed" : "as they ended"}: ${copied.toFixed(0)} bytes a trade in a copy; in use, ` +
        `${(grown / A_DAY).toFixed(0)}, ${(grown / 1e6).toFixed(1)} MB a day, ${((grown * 365) / 1e9).toFixed(2)} GB a year; ` +
        `${((sizes.at(-1) ?? 0) / 1e6).toFixed(0)} MB after ${DAYS} days`,
    );
    await rm(directory, { recursive: true, force: true });
  }
}
