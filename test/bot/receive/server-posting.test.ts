import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../../src/bot/receive/server.js";
import { systemClock } from "../../../src/clock.js";
import { createMetrics } from "../../../src/services/operator/metrics.js";
import type { Proposals } from "../../../src/services/standing/proposals.js";

const SECRET = "A".repeat(43);

it("strangers' connections, however many, don't close one on which a link's holder posts", async () => {
  let answer = (): void => undefined;
  const proposals = {
    links: { isKnown: (secret: string) => secret === SECRET },
    receive: () => new Promise((resolve) => (answer = () => resolve({ kind: "taken", id: "proposal" }))),
  } as unknown as Proposals;
  const ready = () => Promise.resolve(true);
  const server = await startServer({
    ...{ port: 0, host: "127.0.0.1", metricsToken: undefined, webhook: undefined, metrics: createMetrics() },
    ...{ active: ready, ready, proposals, clock: systemClock },
  });
  onTestFinished(() => server.close());
  const open = async (): Promise<Socket> => {
    const socket = connect(server.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };
  const post = (secret: string) =>
    `POST /propose/${secret} HTTP/1.1\r\nHost: bot\r\nContent-Length: 14\r\n\r\nswap 1 KLV KFI`;
  const holder = await open();
  let said = "";
  holder.on("data", (data: Buffer) => (said += data.toString()));
  holder.write(post(SECRET));
  const stranger = await open();
  const closed = once(stranger, "close");
  for (let more = 0; more < 205; more += 1) await open();
  await closed;
  answer();
  await once(holder, "data");
  expect(said).toMatch(/^HTTP\/1\.1 202 [^]*\{"id":"proposal"\}$/);
});
