import { describe, expect, it } from "vitest";
import { createKeyedQueue } from "../../../src/services/base/keyed-queue.js";

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** Lets everything run that isn't waiting for a gate. */
const idle = () => new Promise((resolve) => setImmediate(resolve));

describe("a keyed queue", () => {
  it("runs tasks of one key one at a time, in the order they were added", async () => {
    const turns = createKeyedQueue(10);
    const events: string[] = [];
    const task = (name: string) => async () => {
      events.push(`${name} begins`);
      await idle();
      events.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all(["a", "b", "c"].map((name) => turns.take("key", task(name))));
    expect(results).toEqual(["a", "b", "c"]);
    expect(events).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("runs tasks of other keys meanwhile", async () => {
    const turns = createKeyedQueue(2);
    const { open, opened } = gate();
    const slow = turns.take("slow", () => opened);
    expect(await turns.take("quick", async () => "done")).toBe("done");
    open();
    await slow;
  });

  it("passes a task's error to its caller and goes on", async () => {
    const turns = createKeyedQueue(1);
    const failed = turns.take("key", () => Promise.reject(new Error("no")));
    const next = turns.take("key", async () => "yes");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });

  it("runs as many tasks at once as its width, and no more", async () => {
    const turns = createKeyedQueue(3);
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        turns.take(`key ${index}`, async () => {
          running += 1;
          most = Math.max(most, running);
          await idle();
          running -= 1;
        }),
      ),
    );
    expect(most).toBe(3);
    // The slots are free again: three more tasks can run.
    const gates = [gate(), gate(), gate()];
    let begun = 0;
    const tasks = gates.map(({ opened }, index) =>
      turns.take(`again ${index}`, () => {
        begun += 1;
        return opened;
      }),
    );
    await idle();
    expect(begun).toBe(3);
    for (const { open } of gates) open();
    await Promise.all(tasks);
  });

  it("settles only when every task is done", async () => {
    const turns = createKeyedQueue(10);
    const { open, opened } = gate();
    const tasks = [turns.take("a", () => opened), turns.take("b", () => opened)];
    let settled = false;
    const settling = turns.settled().then(() => (settled = true));
    // Added while it is settling: it waits for this one too.
    tasks.push(tasks[0]!.then(() => turns.take("a", idle)) as Promise<void>);
    await idle();
    expect(settled).toBe(false);
    open();
    await Promise.all(tasks);
    await settling;
  });
});
