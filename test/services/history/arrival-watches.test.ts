import { it } from "vitest";
import * as queries from "../../../src/services/history/arrival-watches.js";
import { mayBeMoving, movesSince } from "../../../src/services/history/own-moves.js";
import { assertNoScans } from "../../support/plans.js";
import { poolAddress } from "../market/pool-samples.js";

const [ROWS, NOW, USER] = [6_000, 1_000_000, 7];
const account = { owner: USER, address: poolAddress(USER) };
const seen = { known: {}, height: 0n, since: 0, small: 0, wholeAt: 0 };

it("no query of what arrives reads a whole table", async () => {
  await assertNoScans(
    (data) => {
      const watch = data.prepare("INSERT INTO arrival_watches VALUES (?, ?, ?, '{}')");
      for (let id = 1; id <= ROWS; id += 1) watch.run(id, poolAddress(id), id % 10 === 0 ? null : NOW + id);
    },
    {
      arrivalWatchOf: (tx) => queries.arrivalWatchOf(tx, USER),
      hasArrivalWatch: (tx) => queries.hasArrivalWatch(tx, USER),
      dueArrivalWatches: async (tx) => {
        const { due, times } = queries.dueArrivalWatches(tx);
        await due({ until: NOW }, 5, [USER, 8]);
        await due({ after: NOW }, 5, []);
        await times(NOW);
      },
      arrivalWatchesAfter: (tx) => queries.arrivalWatchesAfter(tx, USER),
      putArrivalWatch: (tx) => queries.putArrivalWatch(tx, USER, account.address, NOW),
      setArrivalDue: (tx) => queries.setArrivalDue(tx, USER, NOW),
      putArrivalsOff: (tx) => queries.putArrivalsOff(tx, USER, NOW),
      putSeen: (tx) => queries.putSeen(tx, USER, account.address, seen, NOW),
      deleteArrivalWatch: (tx) => queries.deleteArrivalWatch(tx, USER),
      mayBeMoving: (tx) => mayBeMoving(tx, account, NOW, NOW),
      movesSince: (tx) => movesSince(tx, account, NOW, "hex"),
    },
  );
});
