import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadTokens, readTokenList } from "../../src/services/tokens.js";
import { temporaryFolder } from "../support/temporary-folder.js";

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
      entry("KLV", "again"),
    ];
    const reasons = [
      "entry 1: id",
      "entry 2: name",
      "entry 3",
      "entry 4: kind",
      "entry 5",
      "entry 6",
      "entry 7: KLV is there twice",
    ];
    for (const reason of reasons) expect(() => readTokenList(list)).toThrow(reason);
    expect(() => readTokenList(list)).not.toThrow("entry 0");
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

describe("loadTokens", () => {
  it("reads the token list that comes with the program", async () => {
    const tokens = await loadTokens("data/tokens.json");
    expect(tokens.byId("KLV")?.precision).toBe(6);
  });

  it("says which file is missing or no JSON", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "tokens.json");
    await expect(loadTokens(file)).rejects.toThrow(`${file} cannot be read`);
    await writeFile(file, "[");
    await expect(loadTokens(file)).rejects.toThrow(`${file} is not JSON`);
  });
});
