import TinyQueue from "tinyqueue";

interface Turn {
  readonly id: string;
  /** On the schedule's own clock. */
  readonly due: number;
  readonly perSecond: number;
}

/**
 * Whose turn it is. Has no clock: the time is passed in, in milliseconds, and never goes back.
 *
 * Due times in a heap, kept on a clock of its own that never runs ahead of the earliest turn still waiting. While there is
 * time for all, that clock is the real one. When more is due than can be served it runs slower, so that everyone waits
 * longer in proportion to what they asked for, instead of the patient being treated like the eager (the virtual time of
 * fair queueing). Nothing has to be known about the rate at which turns are taken.
 */
export function createSchedule() {
  const heap = new TinyQueue<Turn>([], (left, right) => left.due - right.due);
  /** The turn of each id that counts; others in the heap are leftovers and are skipped. */
  const current = new Map<string, Turn>();
  let virtual = 0;
  let at = 0;
  let wanted = 0;

  function earliest(): Turn | undefined {
    for (let turn = heap.peek(); turn !== undefined; turn = heap.peek()) {
      if (current.get(turn.id) === turn) return turn;
      heap.pop();
    }
    return undefined;
  }

  /** Advances the schedule's own clock to `now`. */
  function advance(now: number): Turn | undefined {
    const turn = earliest();
    virtual = Math.min(virtual + (now - at), turn?.due ?? Number.POSITIVE_INFINITY);
    at = now;
    return turn;
  }

  /** In real time. What is nearer than the clock's precision is now: `take` and `nextAt` must agree. */
  function dueAt(turn: Turn, now: number): number {
    return now + (turn.due - virtual);
  }

  function forget(id: string): void {
    wanted -= current.get(id)?.perSecond ?? 0;
    current.delete(id);
  }

  return {
    /** Asks for a turn this many seconds from now, in place of the one that the id had. */
    add: (id: string, now: number, inSeconds: number): void => {
      advance(now);
      forget(id);
      // What is wanted at once is wanted once.
      const turn = { id, due: virtual + inSeconds * 1000, perSecond: inSeconds > 0 ? 1 / inSeconds : 0 };
      current.set(id, turn);
      wanted += turn.perSecond;
      heap.push(turn);
    },
    remove: forget,
    /** Takes the next turn if one is due, and forgets it. */
    take: (now: number): string | undefined => {
      const turn = advance(now);
      if (turn === undefined || dueAt(turn, now) > now) return undefined;
      virtual = turn.due;
      heap.pop();
      forget(turn.id);
      return turn.id;
    },
    /** When the next turn will be due, or undefined when there is none. It may be in the past. */
    nextAt: (now: number): number | undefined => {
      const turn = advance(now);
      return turn === undefined ? undefined : dueAt(turn, now);
    },
    /** How many turns per second all who wait have asked for. */
    wanted: (): number => wanted,
  };
}
