/**
 * The page's script: finds the wallet, compares its account, lets it sign, and brings the signature back. It decides
 * nothing: what is sent, and whether, is the server's matter, and only the 64 bytes of the signature are used.
 *
 * @typedef {{
 *   provider?: { node: string, api: string },
 *   initialize: () => Promise<unknown>,
 *   getWalletAddress: () => string | Promise<string>,
 *   signTransaction: (transaction: object) => Promise<{ Signature?: readonly string[] }>,
 * }} KleverWeb what a Klever wallet puts into `window` (klever-connect, browser-types.ts)
 * @typedef {{
 *   address: string, provider: { node: string, api: string }, secondsLeft: number, transaction: object,
 * }} SigningRequest
 */

const WALLET_WAIT_MILLISECONDS = 10_000;
const WALLET_LOOK_MILLISECONDS = 100;
const POLL_MILLISECONDS = 3000;

/** States in which the person can act, and the buttons for them. @type {Record<string, readonly string[]>} */
const buttonsIn = {
  looking: ["decline"],
  ready: ["sign", "decline"],
  "other-account": ["again", "decline"],
  "not-signed": ["again", "decline"],
  "wallet-failed": ["again", "decline"],
  "wrong-signature": ["again", "decline"],
  "no-wallet": ["look-again", "decline"],
  asking: ["decline"],
  checking: [],
  signed: [],
  declined: [],
  closed: [],
};

/** The states that nothing follows. */
const ends = ["signed", "declined", "closed"];

const here = location.pathname;
/** @type {string} */
let state = "";
let deadline = 0;

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
}

/** @param {string} next */
function show(next) {
  // What is over stays so, whatever a wallet still brings.
  if (ends.includes(state)) return;
  state = next;
  for (const part of document.querySelectorAll("[data-state]")) {
    /** @type {HTMLElement} */ (part).hidden = part.getAttribute("data-state") !== state;
  }
  const focused = document.activeElement instanceof HTMLButtonElement ? document.activeElement : undefined;
  for (const button of byId("actions").querySelectorAll("button")) {
    button.hidden = buttonsIn[state]?.includes(button.id) !== true;
  }
  byId("elsewhere").hidden = state !== "no-wallet";
  byId("time").hidden = ends.includes(state);
  if (focused?.hidden === true)
    /** @type {HTMLElement} */ (
      document.querySelector(`#actions button:not([hidden])`) ?? document.querySelector(`[data-state="${state}"]`)
    )?.focus();
}

/** @param {string} sentence */
function close(sentence) {
  byId("closed").textContent = sentence;
  show("closed");
}

/** What the server says about a request that is over. @param {Response} response */
async function closeWith(response) {
  const { sentence } = /** @type {{ sentence?: string }} */ (await response.json());
  // A link that means nothing any more: the page that says so in words.
  if (sentence === undefined) location.reload();
  else close(sentence);
}

/** The open request; undefined when it is over. @returns {Promise<SigningRequest | undefined>} @throws when nobody answers. */
async function readRequest() {
  const response = await fetch(`${here}/request`, { cache: "no-store" });
  if (response.status === 410 || response.status === 404) {
    await closeWith(response);
    return undefined;
  }
  if (!response.ok) throw new Error(`answered ${response.status}`);
  const request = /** @type {SigningRequest} */ (await response.json());
  deadline = Date.now() + request.secondsLeft * 1000;
  countDown();
  return request;
}

/** @param {string} path @param {object} body */
function post(path, body) {
  return fetch(`${here}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** @returns {Promise<KleverWeb | undefined>} */
async function findWallet() {
  const until = Date.now() + WALLET_WAIT_MILLISECONDS;
  while (Date.now() < until) {
    const { kleverWeb } = /** @type {{ kleverWeb?: KleverWeb }} */ (/** @type {unknown} */ (window));
    if (kleverWeb !== undefined) return kleverWeb;
    await new Promise((resolve) => setTimeout(resolve, WALLET_LOOK_MILLISECONDS));
  }
  return undefined;
}

/** Connects the wallet and compares its account; undefined when that did not work, which the page then shows. */
async function connect() {
  show("looking");
  const [wallet, request] = await Promise.all([findWallet(), readRequest()]);
  if (request === undefined) return undefined;
  if (wallet === undefined) {
    show("no-wallet");
    return undefined;
  }
  let address;
  try {
    wallet.provider = request.provider;
    await wallet.initialize();
    address = await wallet.getWalletAddress();
  } catch {
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
    signature = signed.Signature?.[0] ?? "";
  } catch {
    show("not-signed");
    return;
  }
  show("checking");
  await deliver(signature);
}

/** Brings the signature until somebody answers: that it comes twice does no harm. @param {string} signature */
async function deliver(signature) {
  while (!ends.includes(state)) {
    try {
      const response = await post("signature", { signature });
      if (response.ok) show("signed");
      else if (response.status === 422) show("wrong-signature");
      else if (response.status === 410 || response.status === 404) await closeWith(response);
      else throw new Error(`answered ${response.status}`);
      trouble(false);
      return;
    } catch {
      trouble(true);
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }
}

async function decline() {
  const response = await post("decline", {});
  if (response.ok) show("declined");
  else await closeWith(response);
}

/** @param {boolean} there */
function trouble(there) {
  byId("trouble").hidden = !there;
}

/** Does what a button is for; where nobody answers, the page says so. @param {() => Promise<unknown>} action */
async function attempt(action) {
  try {
    await action();
    trouble(false);
  } catch {
    trouble(true);
  }
}

/** Learns that the request was cancelled, has expired, or was signed elsewhere. */
async function watch() {
  while (!ends.includes(state)) {
    await attempt(readRequest);
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}

function countDown() {
  if (deadline === 0) return;
  const seconds = Math.max(0, Math.round((deadline - Date.now()) / 1000));
  byId("time-left").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

byId("sign").addEventListener("click", () => void attempt(sign));
byId("again").addEventListener("click", () => void attempt(sign));
byId("look-again").addEventListener("click", () => void attempt(connect));
byId("decline").addEventListener("click", () => void attempt(decline));
byId("copy").addEventListener("click", async ({ currentTarget }) => {
  await navigator.clipboard.writeText(location.href);
  const button = /** @type {HTMLElement} */ (currentTarget);
  button.textContent = button.dataset["copied"] ?? "";
});

setInterval(countDown, 500);
void attempt(connect);
void watch();
