import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { addressFromBytes } from "../../../src/encoding/address.js";
import { changePerson, findPerson, putPerson } from "../../../src/services/person/person.js";
import {
  parseWatchOnlyName,
  unwatchAddress,
  watchAddress,
  watchOnlyOf,
} from "../../../src/services/person/watch-only.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { temporaryStore } from "../../support/engine.js";
import { alice as own, kfi, klv, operator as other, person } from "../samples.js";

const userId = 1001;
const addressOf = (number: number) => addressFromBytes(new Uint8Array(32).fill(number));

async function arrange() {
  const store = await temporaryStore();
  await store.write((tx) => putPerson(tx, userId, person()));
  const watch = (address: typeof own, name: string) => watchAddress(store, userId, { address, name });
  const names = async () => (await findPerson(store.db, userId))?.watchOnly?.map(({ name }) => name);
  return { store, watch, names };
}

it("a sixth address is refused, until one of five is removed; renamed, one keeps its place", async () => {
  const { store, watch, names } = await arrange();
  for (const number of [1, 2, 3, 4, 5]) await watch(addressOf(number), `No ${number}`);
  await expect(watch(addressOf(6), "No 6")).rejects.toMatchObject({
    code: "watch-only-full",
    parameters: { maximum: 5 },
  });
  await watch(addressOf(2), "Savings");
  expect(await names()).toEqual(["No 1", "Savings", "No 3", "No 4", "No 5"]);
  await unwatchAddress(store, userId, addressOf(1));
  // A tap that is handled again after a crash.
  await unwatchAddress(store, userId, addressOf(1));
  await watch(addressOf(6), "No 6");
  expect(await names()).toEqual(["Savings", "No 3", "No 4", "No 5", "No 6"]);
  for (const number of [2, 3, 4, 5, 6]) await unwatchAddress(store, userId, addressOf(number));
  expect(await names()).toBeUndefined();
});

it("a name is of one address, however it is written", async () => {
  const { watch, names } = await arrange();
  await watch(other, "Savings");
  for (const name of ["Savings", "SAVINGS", "Ｓａｖｉｎｇｓ"]) {
    await expect(watch(addressOf(1), name), name).rejects.toMatchObject({ code: "watch-only-named" });
  }
  await watch(other, "SAVINGS");
  expect(await names()).toEqual(["SAVINGS"]);
});

it("the own address is refused, and one that becomes it isn't shown twice", async () => {
  const { store, watch, names } = await arrange();
  await expect(watch(own, "Mine")).rejects.toMatchObject({ code: "watch-only-own" });
  await watch(other, "Savings");
  const change = (address: typeof own) =>
    store.write((tx) => changePerson(tx, userId, (before) => ({ ...before, wallet: { address, since: 0 } })));
  expect(watchOnlyOf(await change(other))).toEqual([]);
  expect(watchOnlyOf(await change(own))).toEqual([{ name: "Savings", address: other }]);
  expect(await names()).toEqual(["Savings"]);
});

it("a name has letters and digits only, and no token's", () => {
  const { knows } = tokenListOf([klv, kfi]);
  const read = (text: string) => parseWatchOnlyName(text, knows);
  const kept = ["Savings", "Mum’s old phone", "Caixa-forte 2", "冷蔵庫", "מזומן", "é", "x".repeat(24), "7"];
  for (const name of kept) expect(read(name)).toBe(name);
  expect(read("  Cold \n  storage\u200b ")).toBe("Cold storage");
  const refused = ["", " ", "\u2800", "/forget", "a /forget", "@bob", "#tag", "evil.com", "Total: 1", "$KLV", "👛"];
  const long = ["x".repeat(25), "x".repeat(4096), `x${"\u0301".repeat(60)}`];
  for (const name of [...refused, ...long, "KFI", "kfi", own.slice(0, 20)]) {
    expect(() => read(name), name).toThrow(expect.objectContaining({ code: "watch-only-name" }));
  }
});

it("nothing that trades, pays, signs or spends all reads watch-only addresses", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const naming = (pattern: RegExp) =>
    files.filter((path) => pattern.test(readFileSync(`src/${path}`, "utf8"))).toSorted();
  expect(naming(/watchOnly/)).toEqual([
    "bot/features/addresses.ts",
    "bot/features/wallet.ts",
    "bot/holdings.ts",
    "cards/addresses.ts",
    "cards/buttons.ts",
    "cards/menu.ts",
    "cards/portfolio.ts",
    "services/history/portfolio.ts",
    "services/person/person.ts",
    "services/person/watch-only.ts",
  ]);
  expect(naming(/\.watched\(/)).toEqual(["bot/features/portfolio.ts", "services/history/portfolio.ts"]);
});
