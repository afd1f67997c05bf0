/**
 * The page's script: finds the wallet, compares its account, lets it sign, and brings the signature back. It decides
 * nothing: what is sent, and whether, is the server's matter, and only the 64 bytes of the signature are used. Once the
 * request is over, the page is loaded anew and says what became of it.
 *
 * @typedef {{
 *   provider?: { node: string, api: string },
 *   initialize: () => Promise<unknown>,
 *   getWalletAddress: () => unknown,
 *   signTransaction: (transaction: object) => Promise<{ Signature?: readonly string[] }>,
 * }} KleverWeb what a Klever wallet puts into `window` (klever-connect, browser-types.ts)
 * @typedef {{
 *   address: string, provider: { node: string, api: string }, secondsLeft: number, transaction: object,
 * }} SigningRequest
 */

const WALLET_WAIT_MILLISECONDS = 10_000;
const WALLET_LOOK_MILLISECONDS = 100;
const POLL_MILLISECONDS = 3000;

/** The buttons of each state in which the person can act. @type {Record<string, readonly string[]>} */
const buttonsIn = {
  looking: ["decline"],
  "no-wallet": ["decline"],
  connecting: ["decline"],
  ready: ["sign", "decline"],
  "other-account": ["again", "decline"],
  "not-signed": ["again", "decline"],
  "wallet-failed": ["again", "decline"],
  "wrong-signature": ["again", "decline"],
  asking: ["decline"],
};

/** What the server answers; anything else comes from somebody in between. */
const kinds = ["open", "accepted", "wrong-signature", "declined", "closed", "unknown"];

let state = "";
let deadline = 0;
/** Questions to which there has been no answer yet. */
let unanswered = 0;

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** @param {string} next */
function show(next) {
  state = next;
  for (const part of document.querySelectorAll("[data-state]")) {
    /** @type {HTMLElement} */ (part).hidden = part.getAttribute("data-state") !== state;
  }
  const focused = document.activeElement instanceof HTMLButtonElement ? document.activeElement : undefined;
  for (const button of byId("actions").querySelectorAll("button")) {
    button.hidden = buttonsIn[state]?.includes(button.id) !== true;
  }
  byId("elsewhere").hidden = state !== "no-wallet";
  if (focused?.hidden === true)
    /** @type {HTMLElement} */ (
      document.querySelector(`#actions button:not([hidden])`) ?? document.querySelector(`[data-state="${state}"]`)
    )?.focus();
}

/**
 * Asks the server until it answers: that a signature comes twice does no harm. Where the request is over, there is no
 * answer but the page anew.
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
      await pause(POLL_MILLISECONDS);
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

/** @returns {Promise<KleverWeb>} the wallet, however late it is there. */
async function findWallet() {
  const found = () => /** @type {{ kleverWeb?: KleverWeb }} */ (/** @type {unknown} */ (window)).kleverWeb;
  const until = Date.now() + WALLET_WAIT_MILLISECONDS;
  let wallet = found();
  while (wallet === undefined) {
    await pause(WALLET_LOOK_MILLISECONDS);
    wallet = found();
    if (wallet === undefined && state === "looking" && Date.now() >= until) show("no-wallet");
  }
  return wallet;
}

/** Connects the wallet and compares its account; undefined when that did not work, which the page then shows. */
async function connect() {
  show("looking");
  const [wallet, request] = await Promise.all([findWallet(), readRequest()]);
  if (isDeclined()) return undefined;
  show("connecting");
  let address;
  try {
    wallet.provider = request.provider;
    await wallet.initialize();
    address = await wallet.getWalletAddress();
  } catch {
    address = undefined;
  }
  if (isDeclined()) return undefined;
  if (typeof address !== "string" || address === "") {
    show("wallet-failed");
    return undefined;
  }
  if (address !== request.address) {
    byId("shown-account").textContent = address;
    show("other-account");
    return undefined;
  }
  show("ready");
  return { wallet, request };
}

async function sign() {
  const connected = await connect();
  if (connected === undefined) return;
  show("asking");
  let signature;
  try {
    const signed = await connected.wallet.signTransaction(connected.request.transaction);
    // Beyond this it is no signature, and the server reads no more.
    signature = String(signed.Signature?.[0] ?? "").slice(0, 200);
  } catch {
    signature = undefined;
  }
  if (isDeclined()) return;
  if (signature === undefined) {
    show("not-signed");
    return;
  }
  show("checking");
  const { kind } = await ask("signature", { signature });
  show(kind === "accepted" ? "signed" : "wrong-signature");
}

async function decline() {
  show("declining");
  await ask("decline", {});
  show("declined");
}

/** Whatever a wallet still brings then is not used. */
function isDeclined() {
  return state === "declining" || state === "declined";
}

/** Learns that the request is over: signed here or elsewhere, cancelled, expired. */
async function watch() {
  for (;;) {
    await pause(POLL_MILLISECONDS);
    await readRequest();
  }
}

function countDown() {
  if (deadline === 0) return;
  const seconds = Math.max(0, Math.round((deadline - Date.now()) / 1000));
  byId("time-left").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  byId("time").hidden = false;
}

/** Copies the page's address; where the browser does not let it, the address is there to be copied by hand. */
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

setInterval(countDown, 500);
void connect();
void watch();
