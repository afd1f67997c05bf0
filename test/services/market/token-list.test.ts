import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import { describe, expect, it } from "vitest";
import type { Token } from "../../../src/encoding/amount.js";
import { poolFile } from "../../../src/services/market/pools.js";
import { tokenFile, tokenListOf } from "../../../src/services/market/token-list.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { until } from "../../support/until.js";

const entry = (id: string, name = id): Token => ({ id, name, precision: 6, kind: "fungible" });

/** The list from a file with this content. */
async function listed(content: unknown) {
  const file = join(await temporaryFolder(), "tokens.json");
  await writeFile(file, JSON.stringify(content));
  return tokenListOf(await tokenFile(file).read());
}

describe("a list of tokens", () => {
  it.each([
    ["Fungible", "fungible"],
    ["SemiFungible", "semi-fungible"],
    ["semifungible", "semi-fungible"],
  ])("may spell a kind as the interface does: %s", async (written, kind) => {
    expect((await listed([{ ...entry("KLV"), kind: written }])).all[0]).toHaveProperty("kind", kind);
  });

  it("is read without unknown fields", async () => {
    const tokens = await listed([
      { ...entry("KLV", "Klever"), logo: "x" },
      { ...entry("LKTOK-1A2B"), kind: "semi-fungible" },
    ]);
    expect(tokens.all).toEqual([
      { id: "KLV", name: "Klever", precision: 6, kind: "fungible" },
      { id: "LKTOK-1A2B", name: "LKTOK-1A2B", precision: 6, kind: "semi-fungible" },
    ]);
    expect(tokens.byId("KLV")?.name).toBe("Klever");
    expect(tokens.byId("klv")).toBeUndefined();
  });

  it("leaves an unknown precision unknown", async () => {
    const token = { id: "DVK-34ZH", name: "DVK", kind: "fungible" };
    expect((await listed([token])).all).toEqual([token]);
  });

  it("has every bad entry named by its index, and a token listed twice", async () => {
    const list = [
      entry("KLV"),
      entry("klv"),
      entry("KFI", " \u200b "),
      { ...entry("AAA-1111"), precision: 6.5 },
      { ...entry("BBB-1111"), kind: "nft" },
      { ...entry("CCC-1111"), precision: "6" },
      null,
    ];
    const reasons = ["entry 1: id", "entry 2: name", "entry 3", "entry 4: kind", "entry 5", "entry 6"];
    for (const reason of reasons) await expect(listed(list)).rejects.toThrow(reason);
    await expect(listed(list)).rejects.not.toThrow("entry 0");
    const twice = listed([entry("KLV"), entry("KFI"), entry("KLV", "again")]);
    await expect(twice).rejects.toThrow("entry 2: KLV is there twice");
  });

  it("has at most 20 problems named", async () => {
    const list = Array.from({ length: 10_000 }, () => entry("klv"));
    await expect(listed(list)).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("entry 20:") as string }),
    );
  });

  it("has its names cleaned and cut", async () => {
    const [token] = (await listed([entry("KLV", `\u202Evil\nname${"x".repeat(100)}`)])).all;
    expect(token?.name).toMatch(/^vil name/);
    expect(token?.name.length).toBe(40);
  });
});

describe("find", () => {
  const tokens = tokenListOf([
    entry("KLV", "Klever"),
    entry("USDT-2AB1", "USDT"),
    entry("FAKE-0001", "KLV"),
    entry("BTC-9K3F", "Bitcoin"),
    entry("BTC-0001", "Bitсoin"), // a Cyrillic с
    entry("ETH-0001", "ether"),
    entry("ETH-0002", "ÉTHER"),
    entry("SOL-0001", "Sol 1"),
    entry("SOL-0002", "soli"),
  ]);

  it.each([
    [" klv ", "KLV"],
    ["usdt-2ab1", "USDT-2AB1"],
    ["usdt", "USDT-2AB1"],
    ["klever", "KLV"],
    // An id comes before a name.
    ["KLV", "KLV"],
  ])("finds by id or name, ignoring case and spaces: %j", (text, id) => {
    expect(tokens.find(text).id).toBe(id);
  });

  it.each([
    ["Bitcoin", ["BTC-9K3F", "BTC-0001"]],
    ["bitсoin", ["BTC-9K3F", "BTC-0001"]],
    ["Ether", ["ETH-0001", "ETH-0002"]],
    ["SOLI", ["SOL-0001", "SOL-0002"]],
  ])("asks for the id if names look the same: %s", (text, ids) => {
    expect(() => tokens.find(text)).toThrow(
      expect.objectContaining({ code: "token-ambiguous", parameters: { text, ids } }),
    );
  });

  it.each([
    ["KIV", ["KLV"]], // looks the same
    ["KLVV", ["KLV"]],
    ["LKV", ["KLV"]],
    ["KL", []],
    ["btc", ["BTC-9K3F", "BTC-0001"]],
    ["Bitcoi", ["BTC-9K3F", "BTC-0001"]],
    ["usdt-2ab", ["USDT-2AB1"]],
    ["DOGE", []],
  ])("suggests what %s may mean: %j", (text, ids) => {
    expect(() => tokens.find(text)).toThrow(expect.objectContaining({ parameters: { text, ids } }));
  });

  it("finds nothing else", () => {
    for (const text of ["", "DOGE", "__proto__", "x".repeat(5000)])
      expect(() => tokens.find(text)).toThrow("token-unknown");
  });
});

describe("replace", () => {
  const [klv, kfi] = [entry("KLV"), entry("KFI")];

  it("applies the new list to every later lookup", () => {
    const tokens = tokenListOf([klv]);
    tokens.replace([klv, kfi]);
    expect(tokens.all.map(({ id }) => id)).toEqual(["KLV", "KFI"]);
    expect(tokens.find("kfi").id).toBe("KFI");
    tokens.replace([kfi]);
    expect(tokens.byId("KLV")).toBeUndefined();
  });

  it("refuses another precision or kind, even of a token that was off the list meanwhile", () => {
    const tokens = tokenListOf([klv, kfi]);
    const changed = { ...kfi, precision: 8 };
    expect(() => tokens.replace([klv, changed])).toThrow("KFI changed");
    expect(() => tokens.replace([klv, { ...kfi, kind: "semi-fungible" }])).toThrow("KFI changed");
    tokens.replace([klv]);
    expect(() => tokens.replace([klv, changed])).toThrow("KFI changed");
    expect(tokens.all).toEqual([klv]);
  });
});

describe("tokenFile", () => {
  it("reads the token list that comes with the program", async () => {
    const tokens = await tokenFile("data/tokens.json").read();
    expect(tokens[0]).toMatchObject({ id: "KLV", precision: 6 });
  });

  it("says which file is missing, is not JSON or has an invalid entry", async () => {
    const file = join(await temporaryFolder(), "tokens.json");
    const tokens = tokenFile(file);
    await expect(tokens.read()).rejects.toThrow(`${file} does not exist`);
    await writeFile(file, "[");
    await expect(tokens.read()).rejects.toThrow(`${file} is not JSON`);
    await writeFile(file, "{}");
    await expect(tokens.read()).rejects.toThrow(`${file}: it is not a JSON array`);
    await writeFile(file, JSON.stringify([entry("klv")]));
    await expect(tokens.read()).rejects.toThrow(`${file}: entry 0: id is not a token id`);
    await expect(tokenFile("/").read()).rejects.toThrow("/ cannot be read");
  });

  it.each([
    ['[{"id":"KLV"}\n,{"id":"KFI"} {"id":"X"}]', "Comma ',' expected after value but got '{' on line 2"],
    ["\ufeff[\n\n1,", "Array item expected but reached end of input on line 3"],
    ["", "JSON value expected but reached end of input on line 1"],
    ["[NaN]", "Array item expected but got 'N' on line 1"],
  ])("says of %j on which line it is wrong, in the same words on every Node", async (text, words) => {
    const file = join(await temporaryFolder(), "tokens.json");
    await writeFile(file, text);
    const refused: unknown = await tokenFile(file)
      .read()
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ cause: { message: words } });
  });

  it("reads a file that begins with a byte order mark, and so do the pools", async () => {
    const file = join(await temporaryFolder(), "list.json");
    await writeFile(file, `\uFEFF${JSON.stringify([entry("KLV")])}`);
    expect(await tokenFile(file).read()).toMatchObject([{ id: "KLV" }]);
    await writeFile(file, "\uFEFF[]");
    expect(await poolFile(file).read()).toEqual([]);
  });

  it("writes one entry per line, and reads the same back", async () => {
    const file = join(await temporaryFolder(), "tokens.json");
    const { all } = tokenListOf([entry("KLV"), entry("KFI")]);
    await tokenFile(file).write(all);
    expect((await readFile(file, "utf8")).split("\n")).toHaveLength(5);
    expect(await tokenFile(file).read()).toEqual(all);
  });

  it("notices changes, and keeps the current list if a new one is invalid", async () => {
    const file = join(await temporaryFolder(), "tokens.json");
    await writeFile(file, "[]");
    const seen: string[] = [];
    const log = pino({}, { write: (line: string) => void seen.push(line) });
    const applied: string[] = [];
    const list = tokenFile(file);
    await list.read();
    const stop = list.watch((tokens) => void applied.push(tokens.map(({ id }) => id).join()), log);
    await writeFile(file, JSON.stringify([entry("KLV")]));
    await until(() => applied.length === 1);
    await writeFile(file, "[{");
    await until(() => seen.some((line) => line.includes("is not JSON")));
    await tokenFile(file).write(tokenListOf([entry("KLV"), entry("KFI")]).all);
    await until(() => applied.length === 2);
    expect(applied).toEqual(["KLV", "KLV,KFI"]);
    stop();
  });
});
