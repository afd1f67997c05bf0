import { createRequire } from "node:module";
import { lazy } from "./lazy.js";

const load = createRequire(import.meta.url);

const listOf = (language: string) =>
  (load(`@scure/bip39/wordlists/${language}.js`) as { readonly wordlist: readonly string[] }).wordlist;

/** BIP-39's lists whose words stand apart in prose too, and SLIP-39's; English also serves Algorand and TON. */
export const lettered = lazy((): readonly (readonly string[])[] => [
  ...["english", "portuguese", "spanish", "french", "italian", "czech"].map(listOf),
  (load("slip39/src/slip39_helper.js") as { readonly WORD_LIST: readonly string[] }).WORD_LIST,
]);

/** BIP-39's lists of Chinese, Japanese and Korean: most of what anybody writes in Chinese is on its list. */
export const eastern = lazy((): readonly (readonly string[])[] =>
  ["simplified-chinese", "traditional-chinese", "japanese", "korean"].map(listOf),
);
