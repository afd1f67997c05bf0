import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { bundled } from "../support/bundled.js";
import { startProgram } from "../support/process.js";
import { comparedCard, people, sandboxDesk } from "../support/sandbox-desk.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";
import { signing } from "../support/wallet-chat.js";

it("a kill of the program at each state of a card leaves one execution at most, and its end is found without help", async () => {
  const main = await bundled("src/main.ts");
  const desk = await sandboxDesk(
    {
      wallet: true,
      // Blocks come so many times as fast; the program has the machine's clock.
      clock: createSwiftClock(20),
      startBot: (environment) => {
        const program = startProgram([process.execPath, main], { environment, folder: tmpdir() });
        return {
          stop: async () => {
            program.kill("SIGKILL");
            await program.ended;
          },
        };
      },
    },
    { QUOTE_TTL_SECONDS: "600" },
  );
  const { faults, telegram } = desk.sandbox;
  // A tap that is answered late is not answered, and here a second is as long as twenty.
  const restart = async (meanwhile?: () => void) => {
    await desk.restart({}, meanwhile);
    await until(() => telegram.isPolled());
  };
  const { pageOf, sign, transactions } = signing(desk);
  const alice = desk.person(people.alice);
  await alice.asks(`/wallet ${desk.address("Alice")}`);

  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  // QUOTED
  await restart();
  faults.set("node-build", "hang");
  await alice.taps(card, "✅ Confirm");
  await alice.sees(card, /Final check/);
  // CLAIMED
  await restart(() => faults.set("node-build", undefined));
  await alice.sees(card, /Not sent/);
  await alice.taps(card, "🔄");
  const fresh = await alice.reads(/^Swap/);
  await alice.taps(fresh, "✅ Confirm");
  await alice.sees(fresh, /Waiting for your wallet/);
  const page = pageOf(fresh);
  // SIGNING
  await restart();
  await expect.poll(async () => (await fetch(`${page}/request`)).status).toBe(200);
  faults.set("node-broadcast", "hang");
  expect(await sign(page)).toBe(200);
  // SENT
  await restart(() => faults.set("node-broadcast", undefined));
  await alice.sees(fresh, /Swap done/);
  expect(transactions()).toHaveLength(1);
}, 120_000);
