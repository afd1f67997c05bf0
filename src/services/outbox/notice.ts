import type { MessageEntity } from "grammy/types";
import type { ServiceName } from "../../fault.js";
import type { GuardChange } from "../person/person.js";

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

/** Something that is wrong with the bot as a whole, for as long as it is so. */
export type Incident =
  | "router-mismatch"
  | "chain-mismatch"
  | "second-poller"
  | "late-alerts"
  | "full-disk"
  | `${ServiceName}-outage`;

export type OperatorEvent =
  | {
      readonly about: "unknown";
      /** How many calls, and by whom; not everybody's number where there are many. */
      readonly calls: number;
      readonly owners: readonly number[];
    }
  | { readonly about: "incident"; readonly incident: Incident; readonly since: number }
  /** A person's record can't be read, so that nothing of theirs goes on. */
  | { readonly about: "unreadable"; readonly userId: number }
  /** The handling of an update ended the program so often that it was given up. */
  | { readonly about: "given-up"; readonly updateId: number; readonly userId: number }
  | { readonly about: "broadcast"; readonly people: number }
  /** Somebody asks to be let in; the name is their own word. */
  | { readonly about: "newcomer"; readonly userId: number; readonly name: string }
  | { readonly about: "return"; readonly service: ServiceName; readonly since: number };
