import { readdirSync, readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { expect, it } from "vitest";
import { requestPage } from "../../../src/bot/signing/page.js";
import { request } from "./fake-desk.js";

/**
 * Holds the oldest browsers that docs/wallet-mode.md names for the signing page: those that know the syntax of ES2020, of
 * spring 2020. What runs there is sent as it stands in `src/`, so newer syntax would reach phones unchanged.
 */
const OLDEST = "es2020";

const assets = new URL("../../../src/bot/signing/assets/", import.meta.url);
const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
const sourceOf = (name: string) => readFileSync(new URL(name, assets), "utf8");
/** Without comments, and with whatever the target lacks written in older syntax. */
const writtenFor = (source: string, target: string) => transformSync(source, { target }).code;
const isKnownTo = (source: string, target: string) => writtenFor(source, target) === writtenFor(source, "esnext");

/** What browsers of then offer, and the scripts call. Look a name up before you add it: it must be in Chromium 80. */
const offered = `
  Error Object Promise Set String Uint8Array btoa fetch getSelection setInterval setTimeout
  add addEventListener catch filter find floor focus fromCharCode get getAttribute getElementById has includes isArray
  isView json map max min now padStart querySelector querySelectorAll reload replace resolve round selectAllChildren set
  setAttribute slice stringify test then trim writeText
`;
/** What a wallet brings. */
const wallets = "getWalletAddress initialize onAccountChanged signTransaction";
const keywords = "catch for function if return switch while";

it.each(scripts)("%s has no syntax that the oldest browsers can't read", (name) => {
  expect(isKnownTo(sourceOf(name), OLDEST)).toBe(true);
  // Such a test can fail.
  expect(isKnownTo(`${sourceOf(name)}\nlocation.hash ||= "#";`, OLDEST)).toBe(false);
});

it.each(scripts)("%s calls nothing that they don't offer", (name) => {
  const code = writtenFor(sourceOf(name), "esnext").replaceAll(/"(?:[^"\\]|\\.)*"|`[^`]*`/g, '""');
  const all = scripts.map(sourceOf).join("\n");
  const own = [...all.matchAll(/(?:function|const|let) (\w+)|[(,] ?(\w+)(?=, |\) (?:=>|\{))/g)].flatMap((each) =>
    each.slice(1, 3),
  );
  const known = new Set([...`${offered} ${wallets} ${keywords}`.split(/\s+/), ...own]);
  const called = [...code.matchAll(/\b([A-Za-z]\w*)(?:\?\.)?\(/g), ...code.matchAll(/\bnew (\w+)/g)].map(
    ([, each = ""]) => each,
  );
  expect(called.filter((each) => !known.has(each))).toEqual([]);
});

it("tells in plain HTML that a browser is too old, unless a script with the newest of that syntax could be read", async () => {
  const page = String(await requestPage(request, "https://swapdesk.example/sign/x"));
  expect(page).toMatch(/<div id="too-old"[^>]*><p>This browser is too old to reach your wallet\./);
  // Nothing can be pressed until the page's script has run.
  expect(page.match(/<button(?![^>]*\b(?:hidden|id="copy"))/g)).toBeNull();
  expect(page).toMatch(/<div id="elsewhere" hidden>/);
  expect(page).toContain('<script src="able.js"></script>');
  expect(sourceOf("page.css")).toMatch(/\.able #too-old,[^}]*\{\s*display: none;/);
  // What is shown only once the script knows would move the buttons under a finger.
  expect(page).toMatch(/<div id="time">.*<span id="time-left" role="timer">5:00</);
  // One version of the language earlier, it can't be, nor by browsers without either of the two signs that came last.
  const able = sourceOf("able.js");
  expect(isKnownTo(able, "es2019")).toBe(false);
  expect(able).toMatch(/\?\?/);
  expect(able).toMatch(/\?\./);
});
