/**
 * The page's script: opens the wallet on a click, compares its account, has it sign, and posts the signature. The
 * server decides what is sent, and whether; it uses only the 64 bytes of the signature. Once the request is over, the
 * page reloads and shows the outcome.
 *
 * @typedef {{
 *   address: string, provider: import("./wallet.js").Provider, secondsLeft: number, transaction: object,
 * }} SigningRequest
 */
import * as wallet from "./wallet.js";

/** How long Klever's sdk-web waits for a wallet, too. */
const WALLET_WAIT_MS = 5000;
const WALLET_LOOK_MS = 100;
const ACCOUNT_LOOK_MS = 1000;
const POLL_MS = 3000;

/** States in which the button waits for the wallet: a second click would open a second window. */
const waiting = ["looking", "opening", "asking"];

/** The server's answers; anything else comes from something in between. */
const kinds = ["open", "accepted", "wrong-signature", "declined", "closed", "unknown"];

let state = "";
let deadline = 0;
const walletDeadline = Date.now() + WALLET_WAIT_MS;
/** Number of requests that have had no answer yet. */
let unanswered = 0;

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
}

/** Buttons of the current state. @returns {readonly string[]} */
function buttonsNow() {
  if (document.querySelector(`.failure[data-state="${state}"]`) !== null) return ["again", "decline"];
  if (state === "ready" || waiting.includes(state)) return ["sign", "decline"];
  return state === "no-wallet" ? ["decline"] : [];
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** @param {string} next @param {string} [said] the wallet's own message */
function show(next, said = "") {
  state = next;
  for (const part of document.querySelectorAll("[data-state]")) {
    const isShown = part.getAttribute("data-state") === state;
    /** @type {HTMLElement} */ (part).hidden = !isShown;
    const heading = isShown && part.getAttribute("data-heading");
    if (heading) byId("heading").textContent = heading;
  }
  const focused = document.activeElement instanceof HTMLButtonElement ? document.activeElement : undefined;
  const buttons = buttonsNow();
  for (const button of byId("actions").querySelectorAll("button")) button.hidden = !buttons.includes(button.id);
  const isWaiting = waiting.includes(state);
  const sign = byId("sign");
  sign.setAttribute("aria-disabled", String(isWaiting));
  sign.textContent = sign.dataset[isWaiting ? "waiting" : "idle"] ?? "";
  byId("said").hidden = said === "";
  byId("said-text").textContent = said;
  byId("elsewhere").hidden = state !== "no-wallet";
  countDown();
  if (focused?.hidden === true)
    /** @type {HTMLElement} */ (
      document.querySelector(`#actions button:not([hidden])`) ?? document.querySelector(`[data-state="${state}"]`)
    )?.focus();
}

/**
 * Retries until the server answers: posting a signature twice does no harm. Never resolves if the request is over, but
 * reloads the page.
 * @param {string} path @param {object} [posted] @returns {Promise<{ kind: string }>}
 */
async function ask(path, posted) {
  const body = posted && JSON.stringify(posted);
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body };
  const once = () =>
    fetch(`${location.pathname}/${path}`, options)
      .then((response) => response.json())
      .then((answer) => (kinds.includes(answer?.kind) ? answer : undefined))
      .catch(() => undefined);
  let answer = await once();
  if (answer === undefined) {
    unanswered += 1;
    byId("trouble").hidden = false;
    while (answer === undefined) {
      await pause(POLL_MS);
      answer = await once();
    }
    unanswered -= 1;
    byId("trouble").hidden = unanswered === 0;
  }
  if (answer.kind !== "closed" && answer.kind !== "unknown") return answer;
  location.reload();
  return new Promise(() => undefined);
}

async function readRequest() {
  const request = /** @type {SigningRequest} */ (/** @type {unknown} */ (await ask("request")));
  deadline = Date.now() + request.secondsLeft * 1000;
  countDown();
  return request;
}

/** Updates the page to the wallet's state, as far as that can be read without opening the wallet. */
async function look() {
  if (!wallet.isThere()) {
    if (["ready", "looking"].includes(state) && Date.now() >= walletDeadline) show("no-wallet");
    return;
  }
  if (state === "no-wallet") show("ready");
  compare(await wallet.accountNow(), (await latest).address);
}

/** @param {string} address the wallet's @param {string} wanted */
function compare(address, wanted) {
  if (address === "" || !["ready", "other-account"].includes(state)) return;
  byId("shown-account").textContent = address;
  const next = address === wanted ? "ready" : "other-account";
  if (next !== state) show(next);
}

/** Opens the wallet and compares its account. Returns undefined if that fails, and shows why. */
async function open() {
  show("looking");
  while (!wallet.isThere()) {
    await pause(WALLET_LOOK_MS);
    if (state !== "looking") return undefined;
  }
  const request = await latest;
  if (isDeclined()) return undefined;
  show("opening");
  let address = "";
  try {
    address = await wallet.open(request.provider, () => void look());
  } catch (error) {
    if (!isDeclined()) show("not-opened", wallet.wordsOf(error));
    return undefined;
  }
  if (isDeclined()) return undefined;
  if (address === "") {
    show("no-account");
    return undefined;
  }
  show("ready");
  compare(address, request.address);
  return state === "ready" ? request : undefined;
}

async function sign() {
  if (waiting.includes(state)) return;
  const request = await open();
  if (request === undefined) return;
  show("asking");
  const answer = await wallet.sign(request.transaction);
  if (isDeclined()) return;
  if ("problem" in answer) {
    show(answer.problem, answer.said);
    return;
  }
  show("checking");
  const { kind } = await ask("signature", answer);
  show(kind === "accepted" ? "signed" : "wrong-signature");
}

async function decline() {
  show("declining");
  await ask("decline", {});
  show("declined");
}

/** Anything that the wallet returns after that is ignored. */
function isDeclined() {
  return state === "declining" || state === "declined";
}

/** Polls for the end of the request: signed here or elsewhere, cancelled, expired. */
async function watch() {
  for (;;) {
    await pause(POLL_MS);
    const read = await readRequest();
    latest = Promise.resolve(read);
  }
}

function countDown() {
  byId("time").hidden = buttonsNow().length === 0;
  // Until it is read, the server's figure stands.
  if (deadline === 0) return;
  const seconds = Math.max(0, Math.round((deadline - Date.now()) / 1000));
  byId("time-left").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Copies the page's address. If the browser refuses, shows it selected, to be copied by hand. */
async function copy() {
  const address = byId("address");
  try {
    await navigator.clipboard.writeText(address.textContent);
    const button = byId("copy");
    button.textContent = button.dataset["copied"] ?? "";
  } catch {
    address.hidden = false;
    getSelection()?.selectAllChildren(address);
  }
}

byId("sign").addEventListener("click", () => void sign());
byId("again").addEventListener("click", () => void sign());
byId("decline").addEventListener("click", () => void decline());
byId("copy").addEventListener("click", () => void copy());

let latest = readRequest();
show("ready");
setInterval(countDown, 500);
setInterval(() => void look(), ACCOUNT_LOOK_MS);
void look();
void watch();
