import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { bundled } from "../support/bundled.js";
import { startProgram } from "../support/process.js";
import { comparedCard, documentedWorld, sandboxDesk } from "../support/sandbox-desk.js";
import { signing } from "../support/wallet-chat.js";

it("a kill at each state of a card leads to one transaction at most, and the outcome is found without a tap", async () => {
  const main = await bundled("src/main.ts");
  const desk = await sandboxDesk(
    {
      wallet: true,
      world: { ...documentedWorld, chain: { ...documentedWorld.chain, blockMilliseconds: 200 } },
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
  const { faults } = desk.sandbox;
  const { pageOf, sign, transactions } = signing(desk);
  const alice = await desk.trader();

  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  // QUOTED
  await desk.restart();
  faults.set("node-build", "hang");
  await alice.confirms(card, /Final check/);
  // CLAIMED
  await desk.restart({}, () => faults.set("node-build", undefined));
  await alice.sees(card, /Not sent/);
  await alice.taps(card, "🔄");
  const fresh = await alice.reads(/^Swap/);
  await alice.confirms(fresh, /Waiting for your signature/);
  const page = pageOf(fresh);
  // SIGNING
  await desk.restart();
  await expect.poll(async () => (await fetch(`${page}/request`)).status).toBe(200);
  faults.set("node-broadcast", "hang");
  expect(await sign(page)).toBe(200);
  // SENT
  await desk.restart({}, () => faults.set("node-broadcast", undefined));
  await alice.sees(fresh, /Swap completed/);
  expect(transactions()).toHaveLength(1);
}, 120_000);
