import { expect, it } from "vitest";
import { createBlockProgress } from "../../../src/services/chain/block-progress.js";
import { testClock } from "../samples.js";

const [SLOT, DAY] = [4_000, 86_400_000];

function arrange() {
  const clock = testClock(1_000_000);
  let lost = 0;
  const progress = createBlockProgress(clock, () => void (lost += 1));
  return { clock, progress, lost: () => lost };
}

it("is current while a block was read as it came within three slots, and says since when", () => {
  const { clock, progress, lost } = arrange();
  expect(progress.state()).toEqual({ isCurrent: false, since: undefined, isClosed: false, missedAt: undefined });
  progress.begun();
  const began = clock.now();
  clock.advance(SLOT);
  // Of one that is older than the newest, nothing follows.
  progress.read(false);
  expect(progress.state()).toMatchObject({ isCurrent: false, since: began });
  progress.read(true);
  expect(progress.state()).toMatchObject({ isCurrent: true, since: began + SLOT });
  clock.advance(3 * SLOT - 1);
  progress.look();
  expect([progress.state().isCurrent, lost()]).toEqual([true, 0]);
  clock.advance(1);
  progress.look();
  progress.look();
  expect(progress.state()).toMatchObject({ isCurrent: false, since: clock.now() });
  expect(lost()).toBe(1);
});

it("says for how long somebody has waited, unless the node serves no blocks or nobody listens", () => {
  const { clock, progress } = arrange();
  clock.advance(SLOT);
  expect(progress.overdue()).toBe(0);
  progress.begun();
  clock.advance(SLOT);
  // Beginning again leaves it as it is.
  progress.begun();
  expect(progress.overdue()).toBe(SLOT);
  clock.step(-10 * SLOT);
  expect(progress.overdue()).toBe(0);
  clock.step(10 * SLOT);
  progress.closed(true);
  expect([progress.overdue(), progress.state().isClosed]).toEqual([0, true]);
  progress.read(false);
  expect([progress.overdue(), progress.state().isClosed]).toEqual([SLOT, false]);
  progress.read(true);
  clock.advance(SLOT);
  expect(progress.overdue()).toBe(0);
});

it("forgets with the last who listens since when, and what was missed, and tells those who look", () => {
  const { clock, progress, lost } = arrange();
  progress.begun();
  progress.read(true);
  progress.missed(5);
  progress.missed(3);
  expect(progress.state().missedAt).toBe(5);
  progress.missed(7);
  expect(progress.state().missedAt).toBe(7);
  progress.parked();
  expect(lost()).toBe(1);
  expect(progress.state()).toEqual({ isCurrent: false, since: undefined, isClosed: false, missedAt: undefined });
  clock.advance(SLOT);
  expect(progress.overdue()).toBe(0);
  progress.begun();
  expect(progress.state().since).toBe(clock.now());
});

it("says for how long no block was read", () => {
  const { clock, progress } = arrange();
  expect(progress.idleFor()).toBe(Infinity);
  progress.begun();
  clock.advance(5);
  expect(progress.idleFor()).toBe(5);
  progress.read(false);
  clock.advance(2);
  expect(progress.idleFor()).toBe(2);
});

it("says for a day that the chain has begun again", () => {
  const { clock, progress } = arrange();
  expect(progress.hasBegunAgain()).toBe(false);
  progress.begunAgain();
  clock.advance(DAY - 1);
  expect(progress.hasBegunAgain()).toBe(true);
  clock.advance(1);
  expect(progress.hasBegunAgain()).toBe(false);
});
