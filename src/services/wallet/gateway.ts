import type { Logger } from "pino";
import { viewBody } from "../../encoding/wire.js";
import type { Clock } from "../../clock.js";
import { isFault } from "../../fault.js";
import type { StandingCheck } from "../chain/standing-check.js";
import type { ContractGateway } from "../intent/gateway.js";
import type { Http } from "../clients/http.js";
import { createContractViews } from "../gateway/query.js";
import type { ChainNode } from "./node.js";
import { prepareTransaction } from "./prepare.js";

/** So long after the last moment to sign a transaction may still be given to the network: its price is as old as that. */
const SEND_MILLISECONDS = 300_000;

/**
 * The gateway to a real chain: a node builds a transaction of each call, the person's wallet signs it, and the node is given
 * the bytes that were checked and hashed here.
 */
export function createWalletGateway(parts: {
  readonly nodeUrl: string;
  readonly node: ChainNode;
  readonly http: Http;
  readonly hide: (text: string) => string;
  readonly chainId: string;
  /** In the smallest units of KLV. */
  readonly maxNetworkFee: bigint;
  readonly signSeconds: number;
  readonly newToken: () => string;
  readonly chainCheck: Pick<StandingCheck, "assertMatch">;
  readonly clock: Clock;
  readonly log: Logger;
}): ContractGateway {
  const { clock, chainCheck, log } = parts;
  return {
    ...createContractViews({ ...parts, returnDataEncoding: "base64", bodyOf: viewBody }),
    // Nothing leaves before the wallet has signed it.
    interrupted: "not-sent",
    begin: async ({ call, terms }) => {
      const prepared = prepareTransaction(parts, call, terms.payout).catch((err: unknown) => {
        if (isFault(err, "transaction-altered")) {
          log.error({ err, call }, "The node built another transaction than it was asked for");
        }
        throw err;
      });
      const [transaction] = await Promise.all([prepared, chainCheck.assertMatch()]);
      const signUntil = clock.now() + parts.signSeconds * 1000;
      const times = { signUntil, sendUntil: signUntil + SEND_MILLISECONDS };
      return { state: "SIGNING", transaction: { ...transaction, token: parts.newToken(), ...times } };
    },
  };
}
