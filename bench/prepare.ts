// What preparing a transaction adds to the node's response times: the time from a confirmed card to its signing request
// during which no request to the node is in flight, by the clock and as CPU time: on a busy machine the clock also
// counts other programs. The node is the sandbox's, in the same process; its time isn't counted.
// Run from the root of the project: npx tsx bench/prepare.ts
import { pino } from "pino";
import { startSandbox } from "../sandbox/sandbox.js";
import { systemClock as clock } from "../src/clock.js";
import { parseAddress } from "../src/encoding/address.js";
import { contractCall } from "../src/encoding/call.js";
import { createHttp, type Http } from "../src/services/base/http.js";
import { createChainCheck } from "../src/services/chain/checks.js";
import { createWalletGateway } from "../src/services/signing/prepare.js";
import { createChainNode } from "../src/services/signing/chain-node.js";

const WARM_UP = 20;
const TIMES = 500;

const sandbox = await startSandbox({ wallet: true });
const log = pino({ level: "silent" });
const http = createHttp({ timeoutSeconds: 10, clock, log });
/** Milliseconds by the clock, and of CPU time. */
type Times = readonly [clock: number, processor: number];
const now = (): Times => {
  const { user, system } = process.cpuUsage();
  return [performance.now(), (user + system) / 1000];
};
const plusSince = (times: Times, [clock, processor]: Times): Times => {
  const [clockNow, processorNow] = now();
  return [times[0] + clockNow - clock, times[1] + processorNow - processor];
};
let underWay = 0;
let alone: Times = [0, 0];
let since = now();
/** Like `http`, but measures the time without a request in flight. */
const watched: Http = {
  ...http,
  request: async (request) => {
    if (underWay === 0) alone = plusSince(alone, since);
    underWay += 1;
    try {
      return await http.request(request);
    } finally {
      underWay -= 1;
      if (underWay === 0) since = now();
    }
  },
};

const node = createChainNode({ nodeUrl: sandbox.url, http: watched, clock, hide: (text) => text });
const { chainId } = sandbox.world.chain;
const gateway = createWalletGateway({
  nodeUrl: sandbox.url,
  node,
  http: watched,
  hide: (text) => text,
  chainId,
  maxNetworkFee: 50_000_000n,
  signSeconds: 300,
  chainCheck: createChainCheck({ node, chainId, clock, log }),
  clock,
  log,
});
const alice = parseAddress(sandbox.world.accounts.find(({ name }) => name === "Alice")?.address ?? "");
const call = contractCall(
  { contract: "referral", address: parseAddress(sandbox.world.referral.address) },
  "swap",
  {
    referral_address: parseAddress(sandbox.world.router.owner),
    referral_percentage: 1000n,
    token_in: "KLV",
    token_out: "KFI",
    amount_out_min: 1n,
    amount_out_destination: alice,
  },
  [{ tokenId: "KLV", units: 1_000_000n }],
);

const added: Times[] = [];
const whole: Times[] = [];
for (let time = 0; time < WARM_UP + TIMES; time += 1) {
  const began = now();
  [alone, since] = [[0, 0], began];
  await gateway.begin({ id: "", call, terms: { payout: alice } });
  if (time < WARM_UP) continue;
  added.push(plusSince(alone, since));
  whole.push(plusSince([0, 0], began));
}
await http.close();
await sandbox.close();

const at = (times: readonly Times[], which: 0 | 1, part: number): string =>
  `${times
    .map((each) => each[which])
    .toSorted((left, right) => left - right)
    [Math.ceil(times.length * part) - 1]?.toFixed(2)} ms`;
console.log(
  `${TIMES} transactions, what is added to the node's answers on the processor and on the clock (with the answers):`,
);
for (const part of [0.5, 0.95, 1]) {
  console.log(`  p${part * 100}: ${at(added, 1, part)}, ${at(added, 0, part)} (${at(whole, 0, part)})`);
}
