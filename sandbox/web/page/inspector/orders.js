/**
 * The exchange's orders, newest first, each with a tester's actions, and a form for a new one.
 *
 * @typedef {{
 *   orderId: string, status: string, symbol: string, side: string, price: string, averagePrice: string,
 *   quantity: string, filled: string, typeOrder: string, fee: string, feeToken: string, moves: boolean,
 * }} Order
 */
import { byId, definitions, element } from "../base/dom.js";
import { request } from "../base/api.js";
import { decimalText } from "../base/figures.js";
import { copyButton, orToast } from "../base/notices.js";

const over = new Set(["DONE", "CANCELED"]);

export function createOrders() {
  const list = byId("orders");
  const form = /** @type {HTMLFormElement} */ (byId("order-form"));
  /** @type {Map<string, Order>} oldest first */
  const orders = new Map();

  /** @param {string} path @param {unknown} body */
  const act = (path, body) => void orToast(request(`/_sim/orders${path}`, body));

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    act("", { ...Object.fromEntries(fields), moves: fields.has("moves") });
  });

  /** @param {Order} order */
  const card = (order) => {
    const { orderId, status, symbol, side, filled, quantity } = order;
    const [base = "", quote = ""] = symbol.split("-");
    const short = `${orderId.slice(0, 8)}…`;
    return element(
      "section.card.order",
      { "data-order": orderId },
      element(
        "header",
        element("h3", `${side} ${symbol}`),
        element(`span.state.order-${status}`, status),
        order.moves && !over.has(status) && element("span.tag", "moves by itself"),
        copyButton(orderId, short, `Copy the id of the order ${short}`),
      ),
      element("progress", {
        max: 100,
        value: percentage(filled, quantity),
        "aria-label": `${filled} of ${quantity} filled`,
      }),
      element(
        "dl",
        ...definitions([
          ["Filled", `${decimalText(filled)} of ${decimalText(quantity)} ${base}`],
          ["Price", order.typeOrder === "MARKET" ? "market" : `${decimalText(order.price)} ${quote}`],
          ["Average", `${decimalText(order.averagePrice)} ${quote}`],
          ["Fee", `${order.fee} ${order.feeToken}`],
        ]),
      ),
      !over.has(status) && controls(orderId),
    );
  };

  /** @param {string} orderId */
  const controls = (orderId) => {
    const quantity = element("input.quantity", {
      type: "text",
      inputmode: "decimal",
      placeholder: "quantity",
      "aria-label": "Quantity to fill",
      required: true,
    });
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      act(`/${orderId}/fill`, { quantity: quantity.value.trim() });
    };
    return element(
      "form.controls",
      { submit },
      quantity,
      element("button", { type: "submit" }, "Fill"),
      element("button", { click: () => act(`/${orderId}/cancel`, {}) }, "Cancel order"),
    );
  };

  const drawAll = () => {
    list.replaceChildren(...[...orders.values()].reverse().map(card));
    if (orders.size === 0) list.append(element("p.nothing", "No orders yet."));
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
      // Keep what is being typed into the order's form.
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

/** The filled part for the progress bar, in percent, rounded down. @param {string} filled @param {string} quantity */
const percentage = (filled, quantity) => Math.floor((100 * Number(filled)) / Number(quantity)) || 0;
