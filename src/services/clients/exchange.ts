import { Fault } from "../../fault.js";
import { endpoint, expectSuccess, type Http } from "./http.js";
import { readOrder, readOrderId } from "./order-answer.js";
import type { Order } from "../../model/order.js";

/** An order is less than 2 kB. */
const MAX_ORDER_BYTES = 64 * 1024;

export type Exchange = ReturnType<typeof createExchange>;

/** The client of `GET {url}/v1/order/{id}`. */
export function createExchange(parts: {
  readonly url: string;
  readonly apiKey: string;
  readonly http: Http;
  /** Takes secrets out of the exchange's words, which people read: it may repeat the key. */
  readonly hide: (text: string) => string;
}) {
  return {
    /**
     * The order as it is now. Asked once, without retries: whoever asks keeps the exchange's pace.
     * @throws Fault `order-id-invalid` before anything is sent; `order-not-found`, `order-refused`, `answer-unreadable`,
     * `service-unauthorized`, `service-rate-limited`, `service-status`, `service-timeout`, `service-unreachable`.
     */
    order: async (text: string): Promise<Order> => {
      const id = readOrderId(text);
      const answer = await parts.http.request({
        service: "exchange",
        method: "GET",
        url: endpoint(parts.url, `v1/order/${id}`),
        headers: { apikey: parts.apiKey },
        retry: false,
        maximumBytes: MAX_ORDER_BYTES,
      });
      if (answer.status === 404) throw new Fault("order-not-found", { id });
      expectSuccess("exchange", answer);
      return readOrder(answer.text, id, parts.hide);
    },
  };
}
