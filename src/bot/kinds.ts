import type { IntentKind } from "../model/terms.js";
import { launchKind } from "./features/launch/kind.js";
import { lockKind, unlockKind } from "./features/lock/kind.js";
import { multihopKind } from "./features/multihop/kind.js";
import { swapKind } from "./features/swap/kind.js";
import type { Kind } from "./kind.js";

/** Every kind of card that spends. Whatever handles cards looks up here what differs between them. */
export const kinds = {
  swap: swapKind,
  multihop: multihopKind,
  lock: lockKind,
  unlock: unlockKind,
  launch: launchKind,
} satisfies Record<IntentKind, Kind>;
