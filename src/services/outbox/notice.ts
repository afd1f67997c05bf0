import type { MessageEntity } from "grammy/types";
import type { ServiceName } from "../../fault.js";
import type { GuardChange } from "../person/guard-change.js";
import type { OperatorEvent } from "./operator-event.js";

/** Something to tell one person that is about no watched order. */
export interface Notice {
  /** A notice of the same id is not written twice while it waits. */
  readonly id: string;
  readonly what:
    | { readonly kind: "test" }
    | { readonly kind: "outage"; readonly service: ServiceName; readonly since: number }
    | { readonly kind: "in-effect"; readonly change: GuardChange }
    | { readonly kind: "let-in" }
    | { readonly kind: "broadcast"; readonly text: string; readonly entities: readonly MessageEntity[] }
    | { readonly kind: "operator"; readonly event: OperatorEvent }
    | { readonly kind: "return"; readonly service: ServiceName; readonly since: number };
}
