import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { runtimeFinding } from "../../../src/commands/doctor/examine.js";
import { isOlder, tried } from "../../../src/commands/doctor/tried.js";

const page = readFileSync(join(import.meta.dirname, "../../../docs/compatibility.md"), "utf8");

it("says what docs/compatibility.md says", () => {
  const nodes = [...page.matchAll(/^\| Node\.js \| (\d+)\.\d+\.\d+, time zone rules (\d{4}[a-z]) \|/gm)];
  expect(nodes.map(([, major]) => Number(major))).toEqual(tried.nodeMajors);
  expect(nodes.map(([, , rules]) => rules).toSorted()[0]).toBe(tried.zoneRules);
  expect(page).toContain(`klever-go ${tried.kleverGo} `);
});

test.each([
  ["1.7.9", "1.7.15", true],
  ["1.7.15", "1.7.15", false],
  ["1.7.15.1", "1.7.15", false],
  ["1.10", "1.7.15", false],
  ["0.99.99", "1.7.15", true],
  ["2", "1.7.15", false],
  ["2025b", "2025c", true],
  ["2025c", "2025c", false],
  ["2026a", "2025c", false],
  ["2025", "2025c", true],
])("whether %s is older than %s: %s", (version, other, expected) => expect(isOlder(version, other)).toBe(expected));

test.each([
  [{ node: "26.12.1", tz: "2026e" }, "ok", "Node 26.12.1, time zone rules 2026e; the bot has a table of its own"],
  [{ node: "20.20.2", tz: "2025c" }, "ok", "Node 20.20.2, time zone rules 2025c; the bot has a table of its own"],
  [
    { node: "20.19.0", tz: "2024b" },
    "note",
    "Node 20.19.0 has the time zone rules of 2024b; it was tried with 2025c and later",
  ],
  [{ node: "22.1.0" }, "note", "Node 22.1.0 has no time zone rules; it was tried with 2025c and later"],
  [{ node: "2.0.0", tz: "2026e" }, "note", "Node 2.0.0 was never tried: 20, 22, 24, 26 were"],
  [{ node: "27.0.1", tz: "2027a" }, "note", "Node 27.0.1 was never tried: 20, 22, 24, 26 were"],
])("of the runtime %j: %s", (versions, verdict, text) => {
  const finding = runtimeFinding(versions);
  expect(finding).toMatchObject({ subject: "runtime", verdict });
  expect(finding.text.replace(" (docs/compatibility.md)", "")).toBe(text);
});
