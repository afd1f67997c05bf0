import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { entropyToMnemonic } from "@scure/bip39";
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

describe("a seed phrase", () => {
  const require = createRequire(import.meta.url);
  const languages = readdirSync("node_modules/@scure/bip39/wordlists")
    .filter((name) => name.endsWith(".js"))
    .map((name) => name.replace(".js", ""));
  const listOf = (language: string) =>
    (require(`@scure/bip39/wordlists/${language}.js`) as { readonly wordlist: string[] }).wordlist;
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256));
  const phrases = (language: string) =>
    Array.from({ length: 200 }, (_, at) => entropyToMnemonic(bytes([16, 20, 24, 28, 32][at % 5]!), listOf(language)));
  const missed = (texts: readonly string[]) => texts.filter((text) => !looksLikeSecret(text));

  it("is known in ten languages", () => {
    expect(languages).toHaveLength(10);
  });

  it.each(languages)(
    "is recognised in %s: alone, in a sentence, without accents, and as composed letters",
    (language) => {
      const texts = phrases(language);
      const eastern = /chinese|japanese|korean/.test(language);
      const plain = texts.map((text) => (eastern ? text : text.normalize("NFKD").replace(/\p{M}/gu, "")));
      const all = [...texts, ...plain, ...texts.map((text) => `it is ${text.normalize("NFC")}, isn't it?`)];
      expect(missed(all)).toEqual([]);
    },
  );

  it("is recognised in SLIP-39's words", () => {
    const { WORD_LIST: words } = require("slip39/src/slip39_helper.js") as { readonly WORD_LIST: string[] };
    const some = () => Array.from({ length: 20 }, () => words[Math.floor(random() * words.length)]).join(" ");
    expect(missed(Array.from({ length: 200 }, some))).toEqual([]);
  });

  it.each(["simplified-chinese", "japanese", "korean"])(
    "needs no valid checksum in %s if there is nothing else",
    (language) => {
      const list = listOf(language);
      for (const length of [12, 15, 18, 21, 24]) {
        const words = Array<string>(length).fill(list[0]!);
        expect(looksLikeSecret(words.join(" "))).toBe(true);
        expect(looksLikeSecret(`/wallet ${words.join("\n")}`)).toBe(true);
        expect(looksLikeSecret([...words, "?", "klv"].join(" "))).toBe(false);
      }
      expect(looksLikeSecret(Array<string>(13).fill(list[0]!).join(" "))).toBe(false);
    },
  );

  it("is recognised in Chinese without spaces, unless its characters are the commonest", () => {
    const texts = phrases("simplified-chinese").map((text) => text.replaceAll(" ", ""));
    expect(missed(texts).length).toBeLessThan(10);
    expect(looksLikeSecret("可用于在容器内加入子部件")).toBe(false);
  });

  it("loads the words when a text is long enough to hold them", () => {
    const run = `import { createRequire } from "node:module";
      import { looksLikeSecret } from "./src/services/base/secret.ts";
      const { cache } = createRequire(import.meta.url);
      const isLoaded = () => Object.keys(cache).some((path) => /wordlists|slip39/.test(path));
      const texts = ["/swap 1000000 KLV KFI with the least slippage", "many words ".repeat(10)];
      for (const text of texts) console.log(looksLikeSecret(text), isLoaded());`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", run]);
    expect(stdout.toString().trim().split("\n")).toEqual(["false false", "false true"]);
    expect(stderr.toString()).toBe("");
  });

  it("costs little to look for, however long the row", () => {
    const started = performance.now();
    expect(looksLikeSecret("的 ".repeat(20_000))).toBe(true);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe("ordinary text", () => {
  it("passes: sentences in which many words are seed words", () => {
    const sentences = [
      "正在套用至空白歷史記錄上",
      "创建归档时保存在本地文件系统中",
      "我想用一百个币买另外一个币，可以吗？",
      "あした いちばん やすい ねだん で すこし だけ かいたい です が どう です か",
      "오늘 가격 그대로 조금 구입 하고 내일 다시 판매 하려고 하는데 가능 한가요",
      "quiero comprar cien monedas con todo el saldo libre que tengo antes de la noche si baja el precio",
    ];
    expect(sentences.filter(looksLikeSecret)).toEqual([]);
  });

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
