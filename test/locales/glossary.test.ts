import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string, end: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`);

/** Words that nobody in the field uses, under the term of docs/glossary.md. */
const foreign: Readonly<Record<string, RegExp>> = {
  "base units": /smallest units?/i,
  "wallet address": /payout address/i,
  "the operator": /\bwhoever\b/i,
  "is called with, receives": /\bhears? of\b/i,
  "again, from scratch": /\banew\b/i,
  "went through, executed": /\bcarried out\b/i,
  "in progress": /\bunder way\b/i,
  "extra confirmation": /\bsecond step\b/i,
  backup: /\bback-ups?\b/i,
  timeout: /\btime-outs?\b/i,
};
/** Adds terms of the code, which users should not see. */
const chatEnglish: Readonly<Record<string, RegExp>> = {
  ...foreign,
  "quote, or nothing": /\bcards?\b/i,
  transaction: /\bcalls?\b(?! off)/i,
  "a user, anyone, someone": /\b(?:person|anybody|somebody)\b/i,
  rejected: /\brefus/i,
  ID: /\bids?\b/,
  "1%": /[0-9}] %/,
  "partially filled": /\bpartly\b/i,
  disabled: /switched off/i,
  scammer: /\bthief\b/i,
  "what you are doing": /\bdialogs?\b/i,
  reports: /\bdoesn't (?:say|tell)\b/i,
  "bot fee": /\bbot's fee\b/i,
  unlock: /\bredeem/i,
  "quote, to confirm": /\bterms\b/i,
};
const chatPortuguese: Readonly<Record<string, RegExp>> = {
  "cotação, ou nada": /\bcart(?:ão|ões)\b/i,
  transação: /\bchamadas?\b/i,
  "unidades básicas": /unidades[- ](?:mínimas|base)\b/i,
  "o operador": /quem opera/i,
  "uma transação, feminina": /["`](?:☑️|❌|✖️|⌛|⏳) ?(?:Aceit|Rejeitad|Enviad|Assinad|Expirad|Cancelad|Não enviad)o/u,
  "escolha um ou envie": /Escolha(?: uma?)?, ou/,
  "a quantidade": /Seu é o valor/,
  verificação: /conferência/i,
  "endereço de carteira": /endereço de recebimento/i,
  "rejeitado, rejeitada": /\brecusad/i,
  ID: /\bids?\b/,
  "1%": /[0-9}] %/,
  usuário: /\bpessoas? [0-9$]/i,
  "o que você está fazendo": /\bdiálogos?\b/i,
  desbloquear: /\bresgat/i,
  "cotação, para confirmar": /\btermos\b/i,
};

function found(text: string, banned: Readonly<Record<string, RegExp>>): string[] {
  return text.split("\n").flatMap((line) =>
    Object.entries(banned)
      .filter(([, term]) => term.test(line))
      .map(([better]) => `${line.trim()} (better: ${better})`),
  );
}

/** The quoted strings, with parameters replaced by `{}` and keys left out. */
const sentencesIn = (source: string) =>
  source
    .replace(/^\s*(?:\/\/|\/?\*).*$|^import .*$/gm, "")
    .replace(/"[^"]*"(?=: )|\$\{[^}]*\}/g, "{}")
    .split("\n")
    .flatMap((line) => line.match(/"[^"]*"|`[^`]*`/g) ?? [])
    .join("\n");

describe.each([
  ["en", chatEnglish],
  ["pt", chatPortuguese],
])("the chat's words (%s)", (language, banned) => {
  it.each(filesIn(`src/locales/${language}`, ".ts"))("%s uses the glossary's terms", (file) => {
    expect(found(sentencesIn(read(file)), banned)).toEqual([]);
  });
});

const comments = (source: string) => source.match(/\/\*\*[^]*?\*\/|\/\/.*$/gm)?.join("\n") ?? "";

it.each(filesIn("src", ".ts"))("the comments of %s are plain English", (file) => {
  expect(found(comments(read(file)), foreign)).toEqual([]);
});

it.each(["README.md", "CONTRIBUTING.md", "SECURITY.md", ".env.example", ...filesIn("docs", ".md")])(
  "%s uses the glossary's terms",
  (file) => {
    expect(found(read(file), foreign)).toEqual([]);
  },
);
