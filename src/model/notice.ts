import type { MessageEntity } from "grammy/types";
import type { ServiceName } from "../fault.js";
import type { GuardChange } from "./later.js";
import type { Lock } from "./lock.js";
import type { OperatorEvent } from "./operator-event.js";

/** Something to tell one person that is about no watched order. It waits in the person's document until it has been sent. */
export interface Notice {
  /** A notice of the same id is not written twice while it waits. */
  readonly id: string;
  /** The run of the program that began to send it, where it must not reach anybody twice even after a crash. */
  readonly begunBy?: string;
  readonly what:
    | { readonly kind: "test" }
    | { readonly kind: "unlockable"; readonly lock: Lock }
    | { readonly kind: "outage"; readonly service: ServiceName; readonly since: number }
    | { readonly kind: "in-effect"; readonly change: GuardChange }
    | { readonly kind: "let-in" }
    | { readonly kind: "broadcast"; readonly text: string; readonly entities: readonly MessageEntity[] }
    | { readonly kind: "operator"; readonly event: OperatorEvent }
    | { readonly kind: "return"; readonly service: ServiceName; readonly since: number };
}
