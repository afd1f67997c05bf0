import { repeat } from "../../clock.js";
import type { Later } from "../../model/later.js";
import type { CommonParts } from "../common-parts.js";
import { inEffect } from "../later.js";
import { openPeople } from "../people.js";
import { withNotice, type Notify } from "./notices.js";

const LOOK_EVERY_MILLISECONDS = 2_000;

export type Delays = ReturnType<typeof createDelays>;

/** Puts changes that wait into effect when their time has come, and tells the person. Until it has looked, the guard holds. */
export function createDelays(parts: CommonParts & { readonly notify: Notify }) {
  const { clock, log } = parts;
  const stopping = new AbortController();
  const waiting = new Set<number>();
  let work: Promise<void> | undefined;

  const lookAt = async (userId: number, onWallet: (userId: number) => Promise<void>): Promise<void> => {
    const now = clock.now();
    let done: readonly Later[] = [];
    let left: readonly Later[] = [];
    await parts.notify(userId, (person) => {
      const { later = [] } = person;
      done = later.filter(({ from }) => from <= now);
      left = later.filter(({ from }) => from > now);
      return done.reduce((before, one) => {
        const id = `in-effect-${one.guard}-${one.from}`;
        return withNotice(inEffect(before, one, now), { id, what: { kind: "in-effect", change: one } });
      }, person);
    });
    if (left.length === 0) waiting.delete(userId);
    if (done.some(({ guard }) => guard === "wallet")) await onWallet(userId);
  };

  return {
    /** Takes up what waits, and begins to look. @param onWallet hears of people whose payout address has changed. */
    start: async (onWallet: (userId: number) => Promise<void>): Promise<void> => {
      const look = async () => {
        for (const userId of waiting) {
          await lookAt(userId, onWallet).catch((error: unknown) => {
            log.error({ userId, err: error }, "A change that waits could not be put into effect yet");
          });
        }
      };
      work ??= repeat(clock, LOOK_EVERY_MILLISECONDS, stopping.signal, look, () => undefined);
      for await (const [userId, { later }] of openPeople(parts)) if (later !== undefined) waiting.add(userId);
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      await work;
    },
    /** To be called when a change waits. */
    note: (userId: number): void => void waiting.add(userId),
  };
}
