import { Fault } from "../../fault.js";
import { countRows, type Reader } from "../../store/store.js";
import { standingKinds } from "../terms/standing-terms.js";
import { countStanding } from "./standing-queries.js";

/** Beyond `STANDING_MAX`, people whose share isn't used up may set orders until there are so many times as many. */
const TIMES_MOST = 10;

/** Orders that may still send a card: what can't reach its owner takes nobody's place. */
function reachable(db: Reader) {
  // By kind, as the index is.
  const left = db
    .selectFrom("standing_orders")
    .where("kind", "in", [...standingKinds])
    .where("ended", "is", null);
  return left.where((order) => {
    const owner = order.selectFrom("users").select("id").whereRef("users.id", "=", "standing_orders.user_id");
    return order.not(order.exists(owner.where("unreachable_since", "is not", null)));
  });
}

async function countOwners(db: Reader): Promise<number> {
  const owners = reachable(db).select((order) => order.fn.count<number>("user_id").distinct().as("count"));
  return (await owners.executeTakeFirstOrThrow()).count;
}

/**
 * Passes if one more order may be set: below `most`, or by a person who has less than an equal share of them, so that
 * nobody can fill them for others. @param own how many the person has. @throws Fault `standing-bot-full`.
 */
export async function assertRoom(db: Reader, own: number, most: number): Promise<void> {
  const all = Object.values(await countStanding(db)).reduce((sum, each) => sum + each, 0);
  if (all < most) return;
  const count = await countRows(reachable(db));
  if (count < most) return;
  const owners = (await countOwners(db)) + (own === 0 ? 1 : 0);
  const share = most === 0 ? 0 : Math.max(1, Math.floor(most / owners));
  if (own >= share || count >= most * TIMES_MOST) throw new Fault("standing-bot-full", {});
}

/** Enough for a person, and few enough for a list. */
const MAX_OWN = 20;

/** {@link assertRoom}, and for no more than a list of their own has. @throws also Fault `standing-full`. */
export async function assertRoomFor(db: Reader, own: number, most: number): Promise<void> {
  if (own >= MAX_OWN) throw new Fault("standing-full", { maximum: MAX_OWN });
  await assertRoom(db, own, most);
}

/** How much of `most` is taken, in percent; nothing if orders are off. */
export async function percentTaken(db: Reader, most: number): Promise<number> {
  return most === 0 ? 0 : Math.floor((100 * (await countRows(reachable(db)))) / most);
}
