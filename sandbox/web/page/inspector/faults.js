/** Switches that make a service misbehave, for ever or for its next requests. */
import { byId, element } from "../base/dom.js";
import { request } from "../base/api.js";

/** What each fault does, in a person's words. @type {Record<string, string>} */
const meanings = {
  slow: "answers late",
  "5xx": "answers 503",
  429: "answers “too many requests”",
  "drop-before": "cuts the connection before acting",
  "drop-after": "acts, then cuts the connection",
  garbage: "acts, then answers nonsense",
  hang: "never answers",
};

/** @type {Record<string, string>} */
const services = {
  node: "Node: contract calls",
  quotation: "Quotation",
  exchange: "Exchange: orders",
  telegram: "Telegram",
};

/** @param {{ onProblem: (text: string) => void }} parts */
export function createFaults({ onProblem }) {
  const panel = byId("faults");
  const warning = byId("fault-warning");

  /** @param {string} service @param {string | undefined} current */
  const form = (service, current) => {
    const fault = element(
      "select",
      { "aria-label": `Fault of ${service}` },
      element("option", { value: "" }, "works"),
      ...Object.entries(meanings).map(([name, meaning]) =>
        element("option", { value: name, selected: name === current }, `${name}: ${meaning}`),
      ),
    );
    const times = element(
      "select",
      { "aria-label": `For how long ${service} misbehaves` },
      element("option", { value: "1" }, "next request"),
      element("option", { value: "3" }, "next 3 requests"),
      element("option", { value: "" }, "until switched off"),
    );
    const apply = async () => {
      const body = {
        service,
        fault: fault.value || null,
        ...(times.value && fault.value && { times: Number(times.value) }),
      };
      try {
        draw(await request("/_sim/faults", body));
      } catch (error) {
        onProblem(error instanceof Error ? error.message : String(error));
      }
    };
    return element(
      "form",
      {
        class: `card fault${current ? " misbehaves" : ""}`,
        "data-service": service,
        on: {
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void apply();
          },
        },
      },
      element(
        "header",
        {},
        element("h3", {}, services[service] ?? service),
        element("span", { class: `state ${current ? "state-Inactive" : "state-Active"}` }, current ?? "works"),
      ),
      element("div", { class: "controls" }, fault, times, element("button", { type: "submit" }, "Set")),
    );
  };

  /** Shows which service misbehaves and how. @param {Record<string, string>} current */
  const draw = (current) => {
    panel.replaceChildren(...Object.keys(services).map((service) => form(service, current[service])));
    const faulty = Object.entries(current).map(([service, fault]) => `${service}: ${fault}`);
    warning.textContent = faulty.join(", ");
    warning.hidden = faulty.length === 0;
  };

  return { draw };
}
