/**
 * The exchange's orders, the newest first, with what a tester can do to each, and a form for another one.
 *
 * @typedef {{
 *   orderId: string, status: string, symbol: string, side: string, price: string, averagePrice: string,
 *   quantity: string, filled: string, typeOrder: string, fee: string, feeToken: string, moves: boolean,
 * }} Order
 */
import { byId, element } from "../base/dom.js";
import { request } from "../base/api.js";

const over = new Set(["DONE", "CANCELED"]);

/** @param {{ copy: (text: string) => void, onProblem: (text: string) => void }} parts */
export function createOrders({ copy, onProblem }) {
  const list = byId("orders");
  const form = /** @type {HTMLFormElement} */ (byId("order-form"));
  /** @type {Map<string, Order>} the oldest first */
  const orders = new Map();

  /** @param {string} path @param {unknown} body */
  const act = async (path, body) => {
    try {
      await request(`/_sim/orders${path}`, body);
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error));
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    void act("", { ...Object.fromEntries(fields), moves: fields.has("moves") });
  });

  /** @param {Order} order */
  const card = (order) => {
    const [base = "", quote = ""] = order.symbol.split("-");
    return element(
      "section",
      { class: "card order", "data-order": order.orderId },
      element(
        "header",
        {},
        element("h3", {}, `${order.side} ${order.symbol}`),
        element("span", { class: `state order-${order.status}` }, order.status),
        order.moves && !over.has(order.status) && element("span", { class: "tag" }, "moves by itself"),
        element(
          "button",
          {
            type: "button",
            class: "address",
            title: `${order.orderId}: press to copy`,
            "aria-label": `Copy the id of the order ${order.orderId.slice(0, 8)}…`,
            on: { click: () => copy(order.orderId) },
          },
          `${order.orderId.slice(0, 8)}…`,
        ),
      ),
      element("progress", {
        max: 100,
        value: percentage(order.filled, order.quantity),
        "aria-label": `${order.filled} of ${order.quantity} filled`,
      }),
      element(
        "dl",
        {},
        ...[
          ["Filled", `${order.filled} of ${order.quantity} ${base}`],
          ["Price", order.typeOrder === "MARKET" ? "market" : `${order.price} ${quote}`],
          ["Average", `${order.averagePrice} ${quote}`],
          ["Fee", `${order.fee} ${order.feeToken}`],
        ].flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
      ),
      !over.has(order.status) && controls(order),
    );
  };

  /** @param {Order} order */
  const controls = (order) => {
    const path = `/${order.orderId}`;
    const quantity = element("input", {
      type: "text",
      inputmode: "decimal",
      class: "quantity",
      placeholder: "quantity",
      "aria-label": "Quantity to fill",
      required: true,
    });
    return element(
      "form",
      {
        class: "controls",
        on: {
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void act(`${path}/fill`, { quantity: quantity.value.trim() });
          },
        },
      },
      quantity,
      element("button", { type: "submit" }, "Fill"),
      element("button", { type: "button", on: { click: () => void act(`${path}/cancel`, {}) } }, "Cancel order"),
    );
  };

  const drawAll = () => {
    list.replaceChildren(...[...orders.values()].reverse().map(card));
    if (orders.size === 0) list.append(element("p", { class: "nothing" }, "No orders yet."));
  };

  return {
    /** @param {Order[]} newestFirst */
    replace: (newestFirst) => {
      orders.clear();
      for (const order of [...newestFirst].reverse()) orders.set(order.orderId, order);
      drawAll();
    },
    /** @param {Order} order new or changed */
    put: (order) => {
      const old = list.querySelector(`[data-order="${order.orderId}"]`);
      orders.set(order.orderId, order);
      if (!old) return drawAll();
      // What is being typed into the form of an order survives its change.
      const typed = /** @type {HTMLInputElement | null} */ (old.querySelector(".quantity"));
      const node = card(order);
      node.classList.add("flash");
      old.replaceWith(node);
      const field = /** @type {HTMLInputElement | null} */ (node.querySelector(".quantity"));
      if (!typed || !field || typed !== document.activeElement) return;
      field.value = typed.value;
      field.focus();
    },
  };
}

/** How much of it is filled, for the bar. @param {string} filled @param {string} quantity */
const percentage = (filled, quantity) => Math.floor((100 * Number(filled)) / Number(quantity)) || 0;
