import { balanceCard } from "../../cards/balance.js";
import { typedBehind } from "../../cards/mends.js";
import { formatAssetId } from "../../encoding/asset.js";
import { unlistedToken } from "../../encoding/token.js";
import { Fault, unlessFault } from "../../fault.js";
import { unlockTimeOf } from "../../services/chain/epochs.js";
import { openLocks } from "../../services/lock/record.js";
import type { BotContext, Parts } from "../context.js";
import type { Feature } from "../feature.js";
import { askableTokens, type HeldParts } from "../held.js";
import { replyOrSentence } from "../or-sentence.js";

type BalanceParts = HeldParts & Pick<Parts, "clock" | "pools" | "store">;

const MAX_LOCKS = 20;
/** How old reserves may be here, and how long to wait for them, in milliseconds. */
const POOLS_AGE = 30_000;
const POOLS_PATIENCE = 1500;

/** `/balance`: what the person's account holds. */
export function balanceFeature(parts: BalanceParts): Feature {
  const cardFor = async ({ person, userId, view }: BotContext) => {
    if (person.wallet === undefined) throw new Fault("wallet-missing", {});
    parts.balanceAllowance.take(userId);
    const [graph, status] = await Promise.all([
      parts.pools.known(POOLS_AGE, POOLS_PATIENCE),
      unlessFault(parts.lock.epochStatus),
    ]);
    const pools = graph?.pools();
    const shares = (pools ?? []).flatMap(({ lpTokenId }) => (lpTokenId === undefined ? [] : [lpTokenId]));
    const ids = askableTokens(parts, person, shares);
    const { address } = person.wallet;
    const locks = (await openLocks(parts.store.db, userId)).slice(0, MAX_LOCKS);
    const others = await parts.lock.heldBeside(userId, address);
    const assets = [...ids, ...locks.map(({ locked }) => formatAssetId(locked))];
    return balanceCard(
      {
        address,
        holdings: await parts.balances.read(address, assets),
        tokens: ids.map((id) => parts.tokens.byId(id) ?? unlistedToken(id)),
        locks,
        otherLocks: others?.amounts ?? [],
        pools,
        beginOf: (epoch) => unlockTimeOf(epoch, status, parts.clock.now()).beginsAt,
      },
      view,
    );
  };

  return {
    name: "balance",
    commands: { balance: (ctx) => replyOrSentence(ctx, () => cardFor(ctx), typedBehind("balance", "")) },
  };
}
