import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { looksLikeSecret } from "../../../src/services/base/secret.js";
import { secretForms } from "../../support/secret-forms.js";
import { seededRandom } from "../../support/seed.js";

const random = seededRandom("secrets");

describe("a secret", () => {
  const { forms, key } = secretForms();
  it.each(Object.entries(forms))("is recognised: %s", (_, text) => {
    expect(looksLikeSecret(text)).toBe(true);
    expect(looksLikeSecret(`/wallet ${text}`)).toBe(true);
    expect(looksLikeSecret(`${"so much to say, ".repeat(200)}\n${text}\nis it safe?`)).toBe(true);
  });

  it("is recognised with invisible or full-width characters from copying", () => {
    expect(looksLikeSecret(`${key.slice(0, 20)}\u200b${key.slice(20)}`)).toBe(true);
    expect(
      looksLikeSecret(key.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0))),
    ).toBe(true);
  });

  it("is recognised for any key, in base64 too", () => {
    let missed = 0;
    for (let tries = 0; tries < 2000; tries += 1) {
      const seed = generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" }).subarray(-32);
      expect(looksLikeSecret(seed.toString("hex"))).toBe(true);
      if (!looksLikeSecret(seed.toString("base64"))) missed += 1;
    }
    // One in two thousand has no digit, and looks like a word of that length.
    expect(missed).toBeLessThan(10);
  });
});

describe("ordinary text", () => {
  /** Random text of these characters. */
  const some = (characters: string, length: number) =>
    Array.from({ length }, () => characters[Math.floor(random() * characters.length)]).join("");
  const hex = (length: number) => some("0123456789abcdef", length);
  const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");
  const address = () => `klv1${some("023456789acdefghjklmnpqrstuvwxyz", 58)}`;
  const tokenId = () => `${some("ABCDEFGHIJ", 8)}-${some("ABCDEF0123456789", 4)}`;

  it("passes: order ids, addresses, tokens, links, figures", () => {
    for (let tries = 0; tries < 300; tries += 1) {
      const ordinary = [
        `/order ${uuid()}`,
        Array.from({ length: 10 }, uuid).join("\n"),
        Array.from({ length: 10 }, uuid).join(" ").toUpperCase(),
        `/start order_${uuid()}`,
        `/wallet ${address()}`,
        `/wallet ${address().toUpperCase()}`,
        [address(), address(), address()].join("\n"),
        `/multihop 1000 ${Array.from({ length: 8 }, tokenId).join(" ")}`,
        `https://kleverscan.org/transaction/${hex(64)}`,
        `kleverscan.org/transaction/${hex(64)}`,
        `https://bot.example/sign/${some("ABCDEFabcdef012345-_", 43)}`,
        Array.from({ length: 30 }, () => some("0123456789", 4)).join(" "),
      ];
      expect(ordinary.filter(looksLikeSecret)).toEqual([]);
    }
  });

  /** The gallery's cards without hashes and addresses in hex, which do look like a key. */
  const cards = ["en", "pt"].flatMap((language) =>
    readdirSync(`docs/cards/${language}`).flatMap((file) =>
      readFileSync(`docs/cards/${language}/${file}`, "utf8")
        .split(/^── .*$/m)
        .map((text) => text.replace(/^│ /gm, ""))
        .map((text) => text.replace(/(?<=(?:Transaction|Transação|Hex|hexadecimal):\n)[0-9a-f]+\n[0-9a-f]+/g, "")),
    ),
  );

  it("passes: every command and every card of the gallery, line by line and whole", () => {
    const lines = cards.flatMap((text) => text.split("\n"));
    const typed = lines.flatMap((line) => /\/[a-z]+.*/.exec(line) ?? []);
    expect(typed.length).toBeGreaterThan(50);
    expect([...typed, ...lines, ...cards].filter(looksLikeSecret)).toEqual([]);
  });

  it("passes: prose, as a user may write it", () => {
    /** Bytes in hex, and "fee, text, negative, fee, number, zero". */
    const tables = ["compatibility.md", "exchange-orders.md"];
    const isProse = (name: string) => name.endsWith(".md") && !tables.includes(name);
    const docs = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter(isProse);
    const prose = ["README.md", ...docs.map((name) => `docs/${name}`)].map((page) => readFileSync(page, "utf8"));
    for (const text of prose) {
      for (let from = 0; from < text.length; from += 400) {
        expect(looksLikeSecret(text.slice(from, from + 800)), text.slice(from, from + 800)).toBe(false);
      }
    }
  });
});
