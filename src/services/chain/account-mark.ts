import * as z from "zod";
import type { Address } from "../../encoding/address.js";
import { isFault } from "../../fault.js";
import { expectSuccess, parseAs, wholeOrText } from "../base/http.js";
import { anyCase, askNode, dataOf, type NodeParts } from "./node.js";

/**
 * Reads what differs whenever an account's balances do, in one request however many tokens there are. Undefined if the
 * node doesn't tell. @throws Fault `service-…`, `answer-unreadable`.
 */
export type ReadAccountMark = (address: Address) => Promise<string | undefined>;

/** Zero values are omitted: an account without tokens has no root (klever-go, data/state/userAccountData.pb.go). */
const markFields = anyCase({ balance: z.bigint().nonnegative().default(0n), roothash: z.string().max(128).optional() });
const markedAccount = dataOf({ account: markFields });

/** A proxy lists what an account holds: anybody can make that long. */
const MAX_ACCOUNT_BYTES = 1024 * 1024;

export function createAccountMarks(node: NodeParts): ReadAccountMark {
  /** A proxy may leave roots out of all accounts. */
  let tellsRoots = false;
  return async (address) => {
    const asked = askNode(node, `address/${address}`, { retry: false, maximumBytes: MAX_ACCOUNT_BYTES });
    const answer = await asked.catch(undefinedIfLonger);
    if (answer === undefined || [404, 405, 501].includes(answer.status)) return undefined;
    expectSuccess("node", answer);
    const read = parseAs(markedAccount, answer.text, wholeOrText, "an account in another form").data.account;
    tellsRoots ||= read.roothash !== undefined;
    return tellsRoots ? `${read.balance} ${read.roothash ?? ""}` : undefined;
  };
}

function undefinedIfLonger(error: unknown): undefined {
  if (!isFault(error, "answer-unreadable")) throw error;
}
