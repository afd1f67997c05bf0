import { balanceCard } from "../../cards/wallet.js";
import { typedBehind } from "../../cards/correction.js";
import { formatAssetId, unlistedToken } from "../../encoding/amount.js";
import { Fault, unlessFault } from "../../fault.js";
import { unlockTimeOf, type LockContract } from "../../services/lock/contract.js";
import type { Clock } from "../../clock.js";
import type { Balances } from "../../services/gateway/ask-node.js";
import type { Pools } from "../../services/pool/pools.js";
import type { TokenList } from "../../services/token/list.js";
import type { Database } from "../../store/store.js";
import { openLocks } from "../../services/lock/record.js";
import type { BotContext } from "../context.js";
import type { Feature } from "../feature.js";
import type { Holdings } from "../held.js";
import { replyOrError } from "../user-error.js";

const MAX_LOCKS = 20;
/** How old reserves may be here, and how long to wait for them, in milliseconds. */
const POOLS_AGE = 30_000;
const POOLS_TIMEOUT_MS = 1500;

export function balanceFeature(parts: {
  readonly balances: Balances;
  readonly holdings: Holdings;
  readonly lock: LockContract;
  readonly pools: Pools;
  readonly tokens: TokenList;
  readonly store: Database;
  readonly clock: Clock;
}): Feature {
  const { balances, clock, holdings, lock, store, tokens } = parts;

  const cardFor = async ({ person, userId, view }: BotContext) => {
    if (person.wallet === undefined) throw new Fault("wallet-missing", {});
    holdings.allowance.take(userId);
    const [graph, status] = await Promise.all([
      parts.pools.known(POOLS_AGE, POOLS_TIMEOUT_MS),
      unlessFault(lock.epochStatus),
    ]);
    const pools = graph?.pools();
    const shares = (pools ?? []).flatMap(({ lpTokenId }) => (lpTokenId === undefined ? [] : [lpTokenId]));
    const ids = holdings.askable(person, shares);
    const { address } = person.wallet;
    const locks = (await openLocks(store.db, userId)).slice(0, MAX_LOCKS);
    const others = await lock.heldBeside(userId, address);
    const assets = [...ids, ...locks.map(({ locked }) => formatAssetId(locked))];
    return balanceCard(
      {
        address,
        holdings: await balances.read(address, assets),
        tokens: ids.map((id) => tokens.byId(id) ?? unlistedToken(id)),
        locks,
        otherLocks: others?.locks.map(({ amount }) => amount) ?? [],
        pools,
        beginOf: (epoch) => unlockTimeOf(epoch, status, clock.now()).beginsAt,
      },
      view,
    );
  };

  return {
    name: "balance",
    commands: { balance: (ctx) => replyOrError(ctx, () => cardFor(ctx), typedBehind("balance", "")) },
  };
}
