import type { IntentKind } from "../model/terms.js";
import { launchKind, type LaunchParts } from "./features/launch/kind.js";
import { lockKind, unlockKind, type LockParts } from "./features/lock/kind.js";
import { multihopKind, type MultihopParts } from "./features/multihop/kind.js";
import { swapKind, type SwapParts } from "./features/swap/kind.js";
import type { Kind } from "./kind.js";

/** What the kinds ask of the world together: whatever looks a kind up has to have it ready. */
export type KindParts = SwapParts & MultihopParts & LockParts & LaunchParts;

/** Every kind of card that spends. Whatever handles cards looks up here what differs between them. */
export const kinds = {
  swap: swapKind,
  multihop: multihopKind,
  lock: lockKind,
  unlock: unlockKind,
  launch: launchKind,
} satisfies Record<IntentKind, Kind<KindParts>>;
