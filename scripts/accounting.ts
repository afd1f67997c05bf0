/**
 * Has hledger read the files of 2,000 made-up calls by the rules in docs/accounting.md, and ledger what hledger prints, and
 * compares every month's balances with what the calls moved. `--write` keeps what hledger reads of a few, for a test.
 *
 *     node --import tsx scripts/accounting.ts [--write]
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readCsv } from "../test/support/read-csv.js";
import { filesOf, monthlyBalances, seededCalls, type Balances } from "../test/support/seeded-calls.js";

const SAMPLE = { calls: 80, seed: 60 };
const SAMPLE_FILE = "test/cards/accounting-read.json";
const forms = ["history", "koinly", "cointracking"] as const;
const folder = mkdtempSync(join(tmpdir(), "accounting-"));
const months = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, "0")}`);

const run = (program: string, options: readonly string[], input?: string): string =>
  execFileSync(program, options, { encoding: "utf8", maxBuffer: 2 ** 28, ...(input !== undefined && { input }) });

const page = readFileSync("docs/accounting.md", "utf8");
for (const [, form, rules = ""] of page.matchAll(/^```rules (\w+)\n([^`]*)^```$/gm))
  writeFileSync(join(folder, `${form}.rules`), rules);

/** Without zeros that say nothing. */
const decimal = (text: string): string => text.replace(/(\.[0-9]*?)0+$/, "$1").replace(/\.$/, "");
const balances = (held: readonly (readonly [token: string, amount: string])[]): Balances =>
  Object.fromEntries(
    held.map(([token, amount]) => [token, decimal(amount)] as const).filter(([, amount]) => amount !== "0"),
  );

function byHledger(form: string): readonly Balances[] {
  const file = ["-f", join(folder, `${form}.csv`), "--rules-file", join(folder, `${form}.rules`)];
  const table = run("hledger", [...file, "balance", "assets:klever", "-MHN", "-O", "csv", "--layout", "bare"]);
  return months.map((month) =>
    balances(readCsv(table.replaceAll("\n", "\r\n")).map((row) => [row["commodity"] ?? "", row[month] ?? ""])),
  );
}

function byLedger(form: string): readonly Balances[] {
  const file = ["-f", join(folder, `${form}.csv`), "--rules-file", join(folder, `${form}.rules`)];
  const journal = run("hledger", [...file, "print"]);
  return months.map((_, month) => {
    const next = new Date(Date.UTC(2026, month + 1)).toISOString().slice(0, 10);
    const options = ["-f", "-", "balance", "assets:klever", "--end", next, "--format", "%(strip(display_total))\n"];
    const lines = run("ledger", options, journal).split("\n");
    return balances(
      lines.flatMap((line) => {
        const [, amount, token = ""] = /^\s*(-?[0-9.]+) "?([^"]+?)"?\s*$/.exec(line) ?? [];
        return amount === undefined ? [] : [[token, amount] as const];
      }),
    );
  });
}

function prepare({ calls, seed }: typeof SAMPLE) {
  const { intents, moves } = seededCalls(calls, seed);
  const files = filesOf(intents);
  for (const form of forms) writeFileSync(join(folder, `${form}.csv`), files[form]);
  return { moves, files };
}

const versions = {
  hledger: /[0-9.]+/.exec(run("hledger", ["--version"]))?.[0],
  ledger: /[0-9.]+[0-9]/.exec(run("ledger", ["--version"]))?.[0],
};
try {
  const { moves, files } = prepare({ calls: 2000, seed: Number(process.env["SEED"] ?? 1) });
  for (const form of forms) {
    const rows = files[form].trim().split("\n").length - 1;
    const expected = monthlyBalances(moves, form);
    for (const [program, read] of [["hledger", byHledger] as const, ["ledger", byLedger] as const]) {
      const isEqual = isDeepStrictEqual(read(form), expected);
      process.stdout.write(
        `${program} ${versions[program]}, ${form}.csv, ${rows} rows: ${isEqual ? "equal" : "DIFFERENT"}\n`,
      );
      if (!isEqual) process.exitCode = 1;
    }
  }
  if (process.argv.includes("--write")) {
    const sample = prepare(SAMPLE);
    const read = forms.map((form) => {
      const sha256 = createHash("sha256").update(sample.files[form]).digest("hex");
      return [form, { sha256, months: byHledger(form) }] as const;
    });
    writeFileSync(
      SAMPLE_FILE,
      `${JSON.stringify({ ...SAMPLE, versions, files: Object.fromEntries(read) }, null, 2)}\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
