/**
 * Defines what the Klever extension injects into a page: `window.kleverHub`, which connects, and `window.kleverWeb`,
 * which signs; in the older shape only `kleverWeb`, which does both. The sandbox holds the keys and decides how the
 * wallet behaves; requests go to the node that the page sets as the provider.
 */
(() => {
  const late = "LATE";
  const shape = "SHAPE";
  const ACCOUNT_LOOK_MS = 1000;

  const post = async (path, body) => {
    const { node } = kleverWeb.provider ?? {};
    if (node === undefined) throw new Error("no provider was set");
    const response = await fetch(`${node}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  };

  /** The extension's own window: shows the question and resolves to the user's answer. */
  const asked = (question, lines, yes) =>
    new Promise((resolve) => {
      const dialog = document.createElement("dialog");
      dialog.setAttribute("aria-label", "Sandbox wallet");
      dialog.style.cssText = "max-width: 22rem; padding: 1.25rem; border: 0; border-radius: 1rem; font: inherit";
      const form = document.createElement("form");
      form.method = "dialog";
      form.style.cssText = "display: flex; flex-direction: column; gap: 0.75rem";
      const add = (tag, text, value) => {
        const part = document.createElement(tag);
        part.textContent = text;
        part.style.overflowWrap = "anywhere";
        if (value !== undefined) part.value = value;
        form.append(part);
      };
      add("strong", question);
      for (const line of lines) add("code", line);
      add("button", yes, "yes");
      add("button", "Reject", "no");
      dialog.append(form);
      dialog.addEventListener("close", () => {
        dialog.remove();
        resolve(dialog.returnValue === "yes");
      });
      document.body.append(dialog);
      dialog.showModal();
    });
  const agreed = async (...question) => {
    if (!(await asked(...question))) throw new Error("User rejected the request");
  };

  let address = "";
  const listeners = new Set();
  const look = async () => {
    const { address: now } = await post("/_sim/wallet/account", {});
    if (now === address) return;
    address = now;
    for (const listener of listeners) listener({ chain: "KLV", address });
  };
  const initialize = async () => {
    const { address: account, asks } = await post("/_sim/wallet/account", {});
    if (address !== "") return look();
    if (asks) await agreed(`Let ${location.host} see your account?`, [account], "Connect");
    address = account;
    setInterval(() => void look().catch(() => undefined), ACCOUNT_LOOK_MS);
  };

  const kleverWeb = {
    provider: undefined,
    get address() {
      return address;
    },
    getWalletAddress: () => address,
    signTransaction: async (transaction) => {
      const { asks } = await post("/_sim/wallet/account", {});
      if (asks) {
        // The extension shows what a node decodes.
        const { data } = await post("/transaction/decode", transaction);
        await agreed("Sign this transaction?", [address, data.tx.hash], "Sign");
      }
      return post("/_sim/wallet/sign", transaction);
    },
    ...(shape === "web" && { initialize }),
  };
  const put = () => {
    window.kleverWeb = kleverWeb;
    if (shape === "hub") {
      window.kleverHub = { initialize, onAccountChanged: (listener) => listeners.add(listener) };
    }
  };
  if (late === "true") setTimeout(put, 1500);
  else put();
})();
