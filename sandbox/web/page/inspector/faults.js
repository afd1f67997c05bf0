/** Buttons that make a service misbehave, for the next requests or until switched off. */
import { byId, element } from "../base/dom.js";
import { request } from "../base/api.js";
import { orToast } from "../base/notices.js";

/** @type {readonly { fault: string, label: string, meaning: string }[]} */
const choices = [
  { fault: "", label: "works", meaning: "Answers as it should." },
  { fault: "slow", label: "slow", meaning: "Acts, and answers some seconds late." },
  { fault: "5xx", label: "5xx", meaning: "Answers 503 without acting." },
  { fault: "429", label: "429", meaning: "Answers “too many requests” without acting." },
  { fault: "drop-before", label: "cut before", meaning: "Cuts the connection without acting." },
  {
    fault: "drop-after",
    label: "cut after",
    meaning: "Acts, then cuts the connection: nobody can know what became of it.",
  },
  { fault: "garbage", label: "garbage", meaning: "Acts, then answers nonsense." },
  { fault: "hang", label: "hangs", meaning: "Never acts and never answers." },
];

/** A transaction's steps through a real node. @type {readonly (readonly [string, string])[]} */
const realNode = [
  ["node-build", "Node: building a transaction"],
  ["node-broadcast", "Node: broadcasts"],
  ["node-lookup", "Node: looking transactions up"],
  ["balances", "Node: balances"],
  ["assets", "Node: tokens"],
];

/** @type {readonly (readonly [string, string])[]} */
const services = [
  ["calls", "Node: the calls that spend"],
  ["node", "Node: every request, reads of prices and pools too"],
  ["quotation", "Quotation"],
  ["exchange", "Exchange: orders"],
  ["telegram", "Telegram"],
];

export function createFaults() {
  const panel = byId("faults");
  const warning = byId("fault-warning");
  const times = /** @type {HTMLSelectElement} */ (byId("fault-times"));

  /** @param {string} service @param {string} fault */
  const set = async (service, fault) => {
    const limited = fault !== "" && times.value !== "";
    // An order for some requests comes after earlier ones, which a person who presses again no longer wants.
    if (limited) await request("/_sim/faults", { service, fault: null });
    const body = { service, fault: fault || null, ...(limited && { times: Number(times.value) }) };
    draw(await request("/_sim/faults", body));
    const pressed = panel.querySelector(`[data-service="${service}"] [aria-pressed="true"]`);
    /** @type {HTMLElement | null} */ (pressed)?.focus();
  };

  /** @param {string} service @param {string} title @param {string} current */
  const card = (service, title, current) => {
    const pills = choices.map(({ fault, label, meaning }) => {
      const click = () => void orToast(set(service, fault));
      const isCurrent = String(fault === current);
      return element("button", { title: meaning, "data-fault": fault, "aria-pressed": isCurrent, click }, label);
    });
    return element(
      "section.card",
      { "data-service": service },
      element("header", element("h3", title)),
      element("div.pills", { role: "group", "aria-label": title }, ...pills),
      element("p.meaning", choices.find(({ fault }) => fault === current)?.meaning),
    );
  };

  let hasRealNode = false;
  /** @type {Record<string, string>} */
  let shown = {};

  /** Shows which service misbehaves and how. @param {Record<string, string>} current */
  const draw = (current) => {
    shown = current;
    const all = hasRealNode ? [...services, ...realNode] : services;
    panel.replaceChildren(...all.map(([service, title]) => card(service, title, current[service] ?? "")));
    const faulty = Object.entries(current).map(([service, fault]) => `${service}: ${fault}`);
    warning.textContent = faulty.join(", ");
    warning.hidden = faulty.length === 0;
  };

  /** @param {boolean} real whether the node accepts transactions */
  const drawServices = (real) => {
    if (real === hasRealNode) return;
    hasRealNode = real;
    draw(shown);
  };

  const lacking = byId("lacking-form");
  lacking.addEventListener("change", () => {
    const chosen = [...lacking.querySelectorAll("input:checked")].map((box) => box.getAttribute("name"));
    void orToast(request("/_sim/telegram/lacking", { lacking: chosen }));
  });

  return {
    draw,
    drawServices,
    /** Shows which additions the Bot API server lacks. @param {{ additions: string[], lacking: string[] }} server */
    drawServer: ({ additions, lacking: names }) =>
      lacking.replaceChildren(
        ...lacking.querySelectorAll("header"),
        ...additions.map((name) => {
          const box = element("input", { name, type: "checkbox", checked: names.includes(name) });
          return element("label.check", box, name.replaceAll("_", " "));
        }),
      ),
  };
}
