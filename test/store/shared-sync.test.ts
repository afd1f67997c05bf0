import { expect, it } from "vitest";
import { shareSyncs } from "../../src/store/shared-sync.js";

/** A sync that ends when the test says so. */
function arrange() {
  const begun: { folder: string; end: (error?: Error) => void }[] = [];
  const sync = shareSyncs(
    (folder) =>
      new Promise<void>((resolve, reject) => {
        begun.push({ folder, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
  );
  return { begun, sync };
}

it("shares the next sync among those who ask while one is under way, never that one", async () => {
  const { begun, sync } = arrange();
  const first = sync("a");
  const others = [sync("a"), sync("a"), sync("a")];
  expect(begun).toHaveLength(1);
  begun[0]!.end();
  await first;
  await expect.poll(() => begun.length).toBe(2);
  let settled = false;
  void Promise.all(others).then(() => (settled = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(settled).toBe(false);
  begun[1]!.end();
  await Promise.all(others);
  expect(begun).toHaveLength(2);
});

it("lets folders be synced side by side, and a failure be that of those who shared it alone", async () => {
  const { begun, sync } = arrange();
  const failing = sync("a");
  const next = sync("a");
  const elsewhere = sync("b");
  expect(begun.map(({ folder }) => folder)).toEqual(["a", "b"]);
  begun[0]!.end(new Error("played"));
  begun[1]!.end();
  await expect(failing).rejects.toThrow("played");
  await elsewhere;
  await expect.poll(() => begun.length).toBe(3);
  begun[2]!.end();
  await next;
});
