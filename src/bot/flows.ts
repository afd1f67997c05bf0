import type { Opened } from "../conversations/opened.js";
import { isFault } from "../fault.js";
import type { Recheck } from "../services/intents/confirm.js";
import type { Intent, IntentOf } from "../model/intent.js";
import type { Parts } from "./context.js";
import { openLaunchLock, openLaunchStep } from "./features/launch/actions.js";
import { openLock, openUnlock } from "./features/lock/open.js";
import { openMultihop } from "./features/multihop/open.js";
import { personOf } from "../services/people.js";
import { openSwap } from "./features/swap/open.js";

/** What differs between the kinds of card once they are open. */
export interface Flow {
  /** Asked between the claim and the call; sends nothing. */
  readonly recheck: (intent: Intent) => Promise<Recheck>;
  /** A fresh card about the same thing, at the person's settings of now. */
  readonly reopen: (intent: Intent) => Promise<Opened>;
}

/** The flow that an intent belongs to. */
export function flowOf(parts: Parts, intent: Intent): Flow {
  const { terms } = intent;
  const lockHolds = async (current: Intent) =>
    parts.locking.recheck(await personOf(parts.store, current.owner), current as IntentOf<"lock" | "unlock">);
  switch (terms.kind) {
    case "swap":
      return {
        recheck: afterRouterCheck(parts, parts.swaps.recheck),
        reopen: ({ owner }) =>
          openSwap(parts, owner, `${terms.amountInText} ${terms.amountIn.token.id} ${terms.quotedOut.token.id}`),
      };
    case "multihop":
      return {
        recheck: afterRouterCheck(parts, async (current) =>
          parts.multihop.recheck(await personOf(parts.store, current.owner), current as IntentOf<"multihop">),
        ),
        reopen: ({ owner }) => openMultihop(parts, owner, terms.typed),
      };
    case "lock": {
      const { launch, typed } = terms;
      if (launch === undefined) return { recheck: lockHolds, reopen: ({ owner }) => openLock(parts, owner, typed) };
      const reopen = ({ owner }: Intent) => openLaunchLock(parts, owner, launch.id, typed);
      return { recheck: parts.launching.recheck, reopen };
    }
    case "unlock":
      return { recheck: lockHolds, reopen: ({ owner }) => openUnlock(parts, owner, terms.typed) };
    case "launch":
      return {
        recheck: afterRouterCheck(parts, parts.launching.recheck),
        reopen: ({ owner }) => openLaunchStep(parts, owner, terms.launchId, terms.step),
      };
  }
}

/** Trades go through the router, so they wait until it is known to be the right one. */
function afterRouterCheck(parts: Parts, recheck: Flow["recheck"]): Flow["recheck"] {
  return async (intent) => {
    try {
      await parts.routerCheck.assertMatch();
    } catch (error) {
      if (isFault(error)) return { kind: "failed", fault: error };
      throw error;
    }
    return recheck(intent);
  };
}
