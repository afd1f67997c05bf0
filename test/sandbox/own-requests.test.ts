import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../sandbox/sandbox.js";

async function statusOf(url: string, headers: Readonly<Record<string, string>>, body?: string): Promise<number> {
  const asked = request(url, { method: body === undefined ? "GET" : "POST", headers });
  asked.end(body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

it("the sandbox answers its own page and programs, and no foreign page, whatever name that gives it", async () => {
  const sandbox = await startSandbox({ wallet: true });
  onTestFinished(() => sandbox.close());
  const { host, port } = new URL(sandbox.url);
  const asked = (headers: Readonly<Record<string, string>>) =>
    Promise.all([
      statusOf(`${sandbox.url}/_sim/world`, headers),
      statusOf(`${sandbox.url}/_sim/epoch`, headers, JSON.stringify({ advance: 1 })),
      statusOf(`${sandbox.url}/_sim/wallet/account`, headers, ""),
    ]);
  const text = { "content-type": "text/plain" };
  for (const own of [
    { host },
    { host: `localhost:${port}`, origin: `http://localhost:${port}` },
    { host, origin: sandbox.url },
  ])
    expect(await asked({ ...text, ...own })).not.toContain(403);
  for (const foreign of [
    { host: "evil.example:8080", origin: "http://evil.example" },
    { host: `evil.example:${port}` },
    { host, origin: "http://evil.example" },
    { host, origin: "null" },
    { host, origin: "http://127.0.0.1:1" },
  ])
    expect(await asked({ ...text, ...foreign })).toEqual([403, 403, 403]);
  // A node is open to any page, under its own name.
  expect(await statusOf(`${sandbox.url}/node/status`, { host, origin: "http://evil.example" })).toBe(200);
  expect(await statusOf(`${sandbox.url}/node/status`, { host: `evil.example:${port}` })).toBe(403);
});
