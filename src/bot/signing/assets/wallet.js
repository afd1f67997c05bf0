/**
 * A Klever wallet in the page's window, used as Klever's own clients do (klever-connect's browser-wallet.ts, sdk-web):
 * opens the hub if there is one. Opening may show a window of the wallet, so it takes a click.
 *
 * @typedef {{ node: string, api: string }} Provider
 * @typedef {{
 *   provider?: Provider, address?: unknown, account?: { address?: unknown },
 *   initialize?: () => unknown, getWalletAddress?: () => unknown, signTransaction?: (transaction: object) => unknown,
 *   onAccountChanged?: (listener: (event: { address?: unknown }) => void) => void,
 * }} Injected what a wallet may add to `window`; any of it may be missing
 * @typedef {{ signature: string } | { problem: string, said: string }} Answer
 */

/** Some wallets report that they are open a moment before they have an address. */
const ADDRESS_WAIT_MS = 1000;
const ADDRESS_LOOK_MS = 50;
/** 64 bytes in base64 or hex. */
const SIGNATURE = /^(?:[a-z0-9+/]{86}(?:==)?|[0-9a-f]{128})$/i;
const MAX_SAID = 200;

let isOpened = false;
/** The account from the wallet's last event, newer than what `getWalletAddress` returns. */
let told = "";
/** @type {Set<Injected>} */
const heard = new Set();

/** Wallet objects, in the order in which they are tried. */
const hub = () => injected("kleverHub");
const signers = () =>
  [injected("kleverWeb"), hub(), injected("klever")].filter((each) => typeof each?.signTransaction === "function");
const all = () => [hub(), injected("kleverWeb"), injected("klever")].filter((each) => each !== undefined);

/** @param {string} name */
function injected(name) {
  const found = Reflect.get(window, name);
  return typeof found === "object" && found !== null ? /** @type {Injected} */ (found) : undefined;
}

export function isThere() {
  return all().length > 0;
}

/** Returns the wallet's account, or "" if the wallet doesn't reveal it without being opened. */
export async function accountNow() {
  if (told !== "") return told;
  for (const wallet of all()) {
    const answered = isOpened ? await answerOf(wallet) : "";
    const address = [answered, wallet.address, wallet.account?.address].find(
      (each) => typeof each === "string" && each,
    );
    if (address !== undefined) return String(address).slice(0, MAX_SAID);
  }
  return "";
}

/** @param {Injected} wallet */
async function answerOf(wallet) {
  try {
    return await wallet.getWalletAddress?.();
  } catch {
    // A locked wallet throws.
    return "";
  }
}

/**
 * Opens the wallet and returns its account, or "" if it has none. If one wallet object yields no address, tries the
 * next, but not after a refusal, so that the user isn't asked twice.
 * @param {Provider} provider @param {() => void} onAccountChange @throws whatever the wallet throws
 */
export async function open(provider, onAccountChange) {
  told = "";
  for (const wallet of all()) Reflect.set(wallet, "provider", provider);
  const ways = all().filter(({ initialize }) => typeof initialize === "function");
  isOpened = ways.length === 0;
  for (const way of ways) {
    await way.initialize?.();
    isOpened = true;
    for (const wallet of all()) Reflect.set(wallet, "provider", provider);
    if (way.onAccountChanged !== undefined && !heard.has(way)) {
      heard.add(way);
      way.onAccountChanged((event) => {
        told = typeof event?.address === "string" ? event.address.slice(0, MAX_SAID) : "";
        onAccountChange();
      });
    }
    const address = await settledAccount();
    if (address !== "") return address;
  }
  return accountNow();
}

async function settledAccount() {
  const until = Date.now() + ADDRESS_WAIT_MS;
  let address = await accountNow();
  while (address === "" && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, ADDRESS_LOOK_MS));
    address = await accountNow();
  }
  return address;
}

/**
 * Returns the wallet's signature, in base64 or hex, or the problem: the page's state for it, and the wallet's own
 * message.
 * @param {object} transaction @returns {Promise<Answer>}
 */
export async function sign(transaction) {
  let answer;
  try {
    answer = await signers()[0]?.signTransaction?.(transaction);
  } catch (error) {
    answer = wordsOf(error);
  }
  if (typeof answer === "string") return asSignature(answer) ?? withoutSignature("not-signed", answer);
  if (typeof answer !== "object" || answer === null) return { problem: "no-answer", said: "" };
  const { Signature: signatures, error } = /** @type {{ Signature?: unknown, error?: unknown }} */ (answer);
  const first = Array.isArray(signatures) ? signatures[0] : signatures;
  if (first !== undefined && first !== null && first !== "") {
    return asSignature(first) ?? { problem: "wallet-failed", said: "" };
  }
  if (error) return { problem: "wallet-error", said: wordsOf(error) };
  return { problem: "RawData" in answer ? "unsigned" : "wallet-failed", said: "" };
}

/** @param {unknown} value @returns {Answer | undefined} */
function asSignature(value) {
  const text = ArrayBuffer.isView(value)
    ? btoa(String.fromCharCode(...new Uint8Array(value.buffer, value.byteOffset, Math.min(value.byteLength, 65))))
    : String(value);
  return SIGNATURE.test(text) ? { signature: text } : undefined;
}

/** @param {string} problem @param {string} said */
function withoutSignature(problem, said) {
  return said === "" ? { problem: "no-answer", said } : { problem, said };
}

/** Returns the message of a wallet's error, which may be of any type; "" if it has none. @param {unknown} error */
export function wordsOf(error) {
  const { message, error: inner } = /** @type {{ message?: unknown, error?: unknown }} */ (Object(error));
  const words = [error, message, inner].find((each) => typeof each === "string") ?? "";
  return String(words).replace(/\s+/g, " ").trim().slice(0, MAX_SAID);
}
