import { balanceCard } from "../../cards/balance.js";
import { typedBehind } from "../../cards/mends.js";
import { formatAssetId } from "../../encoding/asset.js";
import { unlistedToken } from "../../encoding/token.js";
import { Fault, unlessFault } from "../../fault.js";
import { unlockTimeOf } from "../../services/chain/epochs.js";
import { heldLocks } from "../../services/locks/held.js";
import { openLocks } from "../../services/locks/record.js";
import type { BotContext, Parts } from "../context.js";
import type { Feature } from "../feature.js";
import { replyOrSentence } from "../or-sentence.js";

type BalanceParts = Pick<
  Parts,
  "balances" | "balanceAllowance" | "clock" | "locking" | "pools" | "settings" | "tokens"
>;

/** The node is asked about each asset separately, so their number is limited. */
const MAX_TOKENS = 40;
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
      unlessFault(parts.locking.epochStatus),
    ]);
    const pools = graph?.pools();
    const shares = (pools ?? []).flatMap(({ lpTokenId }) => (lpTokenId === undefined ? [] : [lpTokenId]));
    const fungible = parts.tokens.all.filter(({ kind }) => kind === "fungible").map(({ id }) => id);
    const ids = [...new Set([...person.recentTokens, ...fungible, ...shares])].slice(0, MAX_TOKENS);
    const locks = openLocks(person).slice(0, MAX_LOCKS);
    const others = await heldLocks(parts, person.wallet.address, person);
    const assets = [...ids, ...locks.map(({ locked }) => formatAssetId(locked))];
    const { address } = person.wallet;
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

  return { commands: { balance: (ctx) => replyOrSentence(ctx, () => cardFor(ctx), typedBehind("balance", "")) } };
}
