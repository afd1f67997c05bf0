import type { Address } from "../encoding/address.js";
import type { Person } from "../services/person/person.js";
import type { Pay, Request, SwapRequest } from "../services/request.js";
import type { LaunchStart } from "../services/launch/request.js";
import type { LockTold } from "../services/lock/request.js";

/** The settings that are typed rather than chosen. */
export type Setting = "slippage" | "presets" | "timezone" | "quiet" | "limit" | "phrase";

/** What a setting's new value makes of a person at a moment, in milliseconds since 1970. */
export type SettingChange = (person: Person, now: number) => Person;

/** What a form is about once it is filled. */
export type Filled =
  | Request
  | { readonly kind: "quote"; readonly request: SwapRequest }
  | { readonly kind: "order"; readonly orderId: string }
  | { readonly kind: "wallet"; readonly address: Address }
  | { readonly kind: "setting"; readonly setting: Setting; readonly change: SettingChange }
  | { readonly kind: "launch-start"; readonly pair: LaunchStart }
  | { readonly kind: "launch-pair"; readonly launchId: string; readonly pair: Address }
  | { readonly kind: "launch-liquidity"; readonly launchId: string; readonly first: Pay; readonly second: Pay }
  | ({ readonly kind: "launch-locked"; readonly launchId: string; readonly lpToken: string } & LockTold);
