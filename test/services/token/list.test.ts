import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { readTokenList, tokenFile } from "../../../src/services/token/list.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { until } from "../../support/until.js";

const entry = (id: string, name = id, more = {}) => ({ id, name, precision: 6, kind: "fungible", ...more });

describe("readTokenList", () => {
  it.each([
    ["Fungible", "fungible"],
    ["SemiFungible", "semi-fungible"],
    ["semifungible", "semi-fungible"],
  ])("a kind may be written as the interface does: %s", (written, kind) => {
    expect(readTokenList([entry("KLV", "KLV", { kind: written })]).all[0]).toHaveProperty("kind", kind);
  });

  it("reads entries and passes over fields it does not know", () => {
    const tokens = readTokenList([
      entry("KLV", "Klever", { logo: "x" }),
      { ...entry("LKTOK-1A2B"), kind: "semi-fungible" },
    ]);
    expect(tokens.all).toEqual([
      { id: "KLV", name: "Klever", precision: 6, kind: "fungible" },
      { id: "LKTOK-1A2B", name: "LKTOK-1A2B", precision: 6, kind: "semi-fungible" },
    ]);
    expect(tokens.byId("KLV")?.name).toBe("Klever");
    expect(tokens.byId("klv")).toBeUndefined();
  });

  it("leaves an unknown precision unknown", () => {
    const [token] = readTokenList([{ id: "DVK-34ZH", name: "DVK", kind: "fungible" }]).all;
    expect(token).toEqual({ id: "DVK-34ZH", name: "DVK", kind: "fungible" });
  });

  it("names every bad entry by its index", () => {
    const list = [
      entry("KLV"),
      entry("klv"),
      entry("KFI", " \u200b "),
      entry("AAA-1111", "a", { precision: 6.5 }),
      entry("BBB-1111", "b", { kind: "nft" }),
      entry("CCC-1111", "c", { precision: "6" }),
      null,
    ];
    const reasons = ["entry 1: id", "entry 2: name", "entry 3", "entry 4: kind", "entry 5", "entry 6"];
    for (const reason of reasons) expect(() => readTokenList(list)).toThrow(reason);
    expect(() => readTokenList(list)).not.toThrow("entry 0");
  });

  it("names a token that is listed twice", () => {
    expect(() => readTokenList([entry("KLV"), entry("KFI"), entry("KLV", "again")])).toThrow(
      "entry 2: KLV is there twice",
    );
  });

  it("names twenty problems of a long list, not all", () => {
    const list = Array.from({ length: 10_000 }, () => entry("klv"));
    expect(() => readTokenList(list)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("entry 20:") as string }),
    );
  });

  it("refuses what is no array", () => {
    expect(() => readTokenList({ tokens: [] })).toThrow("token-list-invalid");
  });

  it("cleans and cuts names", () => {
    const [token] = readTokenList([entry("KLV", `\u202Evil\nname${"x".repeat(100)}`)]).all;
    expect(token?.name).toMatch(/^vil name/);
    expect(token?.name.length).toBe(40);
  });
});

describe("find", () => {
  const tokens = readTokenList([
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

  it("finds by id or name, without regard to case and space", () => {
    expect(tokens.find(" klv ").id).toBe("KLV");
    expect(tokens.find("usdt-2ab1").id).toBe("USDT-2AB1");
    expect(tokens.find("usdt").id).toBe("USDT-2AB1");
    expect(tokens.find("klever").id).toBe("KLV");
  });

  it("lets no name take over an id", () => {
    expect(tokens.find("KLV").id).toBe("KLV");
  });

  it.each([
    ["Bitcoin", ["BTC-9K3F", "BTC-0001"]],
    ["bitсoin", ["BTC-9K3F", "BTC-0001"]],
    ["Ether", ["ETH-0001", "ETH-0002"]],
    ["SOLI", ["SOL-0001", "SOL-0002"]],
  ])("asks for the id where names look the same: %s", (text, ids) => {
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
  ])("says what %s may mean: %j", (text, ids) => {
    expect(() => tokens.find(text)).toThrow(expect.objectContaining({ parameters: { text, ids } }));
  });

  it("knows no other", () => {
    for (const text of ["", "DOGE", "__proto__", "x".repeat(5000)])
      expect(() => tokens.find(text)).toThrow("token-unknown");
  });
});

describe("replace", () => {
  const klv = { id: "KLV", name: "KLV", precision: 6, kind: "fungible" } as const;
  const kfi = { ...klv, id: "KFI", name: "KFI" };

  it("takes another list for every later question", () => {
    const tokens = readTokenList([klv]);
    tokens.replace([klv, kfi]);
    expect(tokens.all.map(({ id }) => id)).toEqual(["KLV", "KFI"]);
    expect(tokens.find("kfi").id).toBe("KFI");
    tokens.replace([kfi]);
    expect(tokens.byId("KLV")).toBeUndefined();
  });

  it("refuses another precision or kind, also of a token that was off the list meanwhile", () => {
    const tokens = readTokenList([klv, kfi]);
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

  it("says which file is missing, no JSON, or holds an invalid entry", async () => {
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

  it("writes one entry on each line, which reads as before", async () => {
    const file = join(await temporaryFolder(), "tokens.json");
    const { all } = readTokenList([entry("KLV"), entry("KFI")]);
    await tokenFile(file).write(all);
    expect((await readFile(file, "utf8")).split("\n")).toHaveLength(5);
    expect(await tokenFile(file).read()).toEqual(all);
  });

  it("notices changes, keeps the list in use where one is invalid, and stops when told to", async () => {
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
    await tokenFile(file).write(readTokenList([entry("KLV"), entry("KFI")]).all);
    await until(() => applied.length === 2);
    expect(applied).toEqual(["KLV", "KLV,KFI"]);
    stop();
  });
});
