import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { Fault, isFault } from "../../fault.js";
import type { ContractGateway } from "../clients/gateway.js";

/** Whether the referral contract swaps through the router that this bot is set up for. */
export interface RouterCheck {
  /** For what sends nothing yet: does not wait. @throws Fault `router-mismatch` when that is known. */
  readonly assertNoMismatch: () => void;
  /**
   * For what is about to send: waits for the answer if it is not there yet. One that cannot be had stops nobody; the question
   * is put again later.
   * @throws Fault `router-mismatch`.
   */
  readonly assertMatch: () => Promise<void>;
}

/** After how many milliseconds an unanswered question is asked again, and an answered one too: contracts can be reconfigured. */
const ASK_AGAIN = { unknown: 60_000, match: 900_000, mismatch: 60_000 } as const;

/** Asks `getRouterAddress` at once. Only a different answer stops trading: a node without views proves nothing. */
export function createRouterCheck(parts: {
  readonly gateway: Pick<ContractGateway, "query">;
  readonly referralContract: Address;
  readonly routerContract: Address;
  readonly clock: Clock;
  readonly log: Logger;
}): RouterCheck {
  const { clock, log } = parts;

  const ask = async (): Promise<"match" | "mismatch" | "unknown"> => {
    try {
      const target = { contract: "referral", address: parts.referralContract } as const;
      const [router] = await parts.gateway.query(target, "getRouterAddress", {});
      if (router === parts.routerContract) return "match";
      log.error({ router, configured: parts.routerContract }, "ROUTER_CONTRACT is not the referral contract's router");
      return "mismatch";
    } catch (error) {
      if (!isFault(error)) throw error;
      if (error.code === "address-zero") {
        log.error({ configured: parts.routerContract }, "The referral contract has no router");
        return "mismatch";
      }
      log.warn({ err: error }, "The referral contract's router could not be read; it is not compared");
      return "unknown";
    }
  };

  let isMismatch = false;
  let askedAt = 0;
  const askNow = async () => {
    askedAt = clock.monotonic();
    const answer = await ask();
    isMismatch = answer === "mismatch";
    return answer;
  };
  const assertNoMismatch = () => {
    if (isMismatch) throw new Fault("router-mismatch", {});
  };

  let answer = askNow();
  return {
    assertNoMismatch,
    assertMatch: async () => {
      if (clock.monotonic() - askedAt >= ASK_AGAIN[await answer]) answer = askNow();
      await answer;
      assertNoMismatch();
    },
  };
}
