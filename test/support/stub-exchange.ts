import { startHttpStub, type Answer } from "./http-stub.js";

/** An order of the stub. Quantities are in whole KLV, prices in hundred-millionths of a USDT. */
export interface StubOrder {
  readonly id: string;
  readonly status: "OPEN" | "PARTIALLY" | "DONE" | "CANCELED";
  readonly quantity: bigint;
  readonly filled: bigint;
  readonly paid: bigint;
}

/** An exchange on which only the test trades. */
export type ExchangeStub = Awaited<ReturnType<typeof startExchangeStub>>;

const CREATED_AT = 1_700_000_000;

export async function startExchangeStub() {
  const orders = new Map<string, StubOrder>();
  /** Requests so far: the order's id, and the time in milliseconds since 1970. */
  const asked: { readonly id: string; readonly at: number }[] = [];
  /** If set, the answer to every request. */
  const fault: { instead: Answer | undefined } = { instead: undefined };

  const server = await startHttpStub(({ path }): Answer => {
    const id = /^\/v1\/order\/([^/]+)$/.exec(path)?.[1] ?? "";
    asked.push({ id, at: Date.now() });
    if (fault.instead !== undefined) return fault.instead;
    const found = orders.get(id);
    return found === undefined ? { status: 404, body: { success: false } } : { body: orderAnswer(found) };
  });

  function put(order: StubOrder): StubOrder {
    orders.set(order.id, order);
    return order;
  }

  function order(id: string): StubOrder {
    const found = orders.get(id);
    if (found === undefined) throw new Error(`there is no order ${id}`);
    return found;
  }

  return Object.assign(fault, {
    url: server.url,
    asked,
    add: (quantity: bigint): StubOrder => {
      const id = `00000000-0000-4000-8000-${String(orders.size + 1).padStart(12, "0")}`;
      return put({ id, status: "OPEN", quantity, filled: 0n, paid: 0n });
    },
    order,
    /** Fills a part of an order; the last part ends it. */
    fill: (id: string, quantity: bigint, price: bigint): StubOrder => {
      const before = order(id);
      const filled = before.filled + quantity;
      if (filled > before.quantity) throw new Error(`so much is not left of ${id}`);
      const status = filled === before.quantity ? "DONE" : "PARTIALLY";
      return put({ ...before, status, filled, paid: before.paid + quantity * price });
    },
    cancel: (id: string): StubOrder => put({ ...order(id), status: "CANCELED" }),
    close: server.close,
  });
}

/** The answer of the status query. */
export function orderAnswer({ id, status, quantity, filled, paid }: StubOrder): object {
  const data = {
    orderId: id,
    status,
    symbol: "KLV-USDT",
    side: "BUY",
    price: "0.00700000",
    averagePrice: filled === 0n ? "0" : inUsdt(paid / filled),
    quantity: String(quantity),
    filled: String(filled),
    typeOrder: "LIMIT",
    typeTrade: "MAKER",
    fee: "0",
    feeToken: "KLV",
    feePayWithKLV: "0",
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
  };
  return { success: true, data };
}

function inUsdt(hundredMillionths: bigint): string {
  const digits = String(hundredMillionths).padStart(9, "0");
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
}
