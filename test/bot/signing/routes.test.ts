import { describe, expect, it } from "vitest";
import { signingRoutes } from "../../../src/bot/signing/routes.js";
import { systemClock } from "../../../src/clock.js";
import type { SigningRequests } from "../../../src/services/signing/signing-requests.js";
import { closed, fakeDesk, request, token } from "./fake-desk.js";

const publicUrl = "https://swapdesk.example";
const walletOrigins = ["https://node.example", "https://api.example"];

function site(open = request, change: Partial<SigningRequests> = {}) {
  const desk = fakeDesk(open);
  const app = signingRoutes({ requests: { ...desk, ...change }, publicUrl, walletOrigins }, systemClock);
  const get = async (path: string) => app.request(path);
  const post = async (path: string, body: unknown, origin: string | undefined = publicUrl) =>
    app.request(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...(origin !== "" && { origin }) },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return { desk, get, post };
}

const signature = "0f".repeat(64);

describe("the signing page", () => {
  it("shows the card, fee, account, chain and hash in the user's language, and changes nothing", async () => {
    const { desk, get } = site({ ...request, language: "pt", title: "Troca", lines: ["<b>&amp;"] });
    for (let visit = 0; visit < 3; visit++) {
      const page = await get(`/sign/${token}`);
      expect(page.status).toBe(200);
      const text = await page.text();
      expect(text).toContain('<html lang="pt">');
      for (const shown of [
        "Troca",
        "&lt;b&gt;&amp;amp;",
        "4.51 KLV",
        request.address,
        "Testnet",
        "blue elephant",
        "https://t.me/swapdesk_sandbox_bot",
        request.hash,
        "Recusar",
      ]) {
        expect(text).toContain(shown);
      }
      expect(text).toContain(`klever-wallet://dp/browser?link=${publicUrl}/sign/${token}`);
    }
    expect(new Set(desk.calls)).toEqual(new Set(["request"]));
  });

  it("loads only its own files, connects only to itself and the wallet's origins, and leaves no cache or referrer", async () => {
    const { get, post } = site();
    const paths = [
      `/sign/${token}`,
      `/sign/${token}/request`,
      "/sign/page.js",
      "/sign/wallet.js",
      "/sign/page.css",
      "/sign/icon.svg",
      "/sign/x",
    ];
    for (const answer of [
      ...(await Promise.all(paths.map(get))),
      await post(`/sign/${token}/decline`, {}, "https://evil.example"),
    ]) {
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
          "connect-src 'self' https://node.example https://api.example; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
    }
    expect((await get("/sign/page.js")).headers.get("content-type")).toContain("text/javascript");
  });

  it("gives the Klever app an address without characters that it might decode", async () => {
    const text = await (await site().get(`/sign/${token}`)).text();
    const link = /klever-wallet:\/\/dp\/browser\?link=([^"]*)/.exec(text)?.[1] ?? "";
    expect(link).toBe(`${publicUrl}/sign/${token}`);
    expect(link).not.toMatch(/[?&#%]/);
  });

  it("gives the page's script what the wallet needs", async () => {
    expect(await (await site().get(`/sign/${token}/request`)).json()).toEqual(JSON.parse(JSON.stringify(request)));
  });

  it("says what became of a request that is over, and nothing about an unknown token", async () => {
    const { desk, get, post } = site();
    desk.state = closed("Este cartão expirou.", "pt", "Nada para assinar", ["Você pagou: 100 KLV"]);
    const page = await get(`/sign/${token}`);
    expect(page.status).toBe(410);
    const text = await page.text();
    for (const said of ["Este cartão expirou.", "Nada para assinar</small>", "Swap KLV → KFI", "Você pagou: 100 KLV"])
      expect(text).toContain(said);
    expect(text).not.toContain("wait.js");
    desk.state = { ...desk.state, isOver: false };
    expect(await (await get(`/sign/${token}`)).text()).toContain("wait.js");
    const answers = [
      await get(`/sign/${token}/request`),
      await post(`/sign/${token}/signature`, { signature }),
      await post(`/sign/${token}/decline`, {}),
    ];
    for (const answer of answers) {
      expect([answer.status, await answer.json()]).toEqual([410, desk.state]);
    }
    for (const other of ["B".repeat(43), "short", "..%2f..%2fetc"]) {
      const unknown = [
        await get(`/sign/${other}`),
        await get(`/sign/${other}/request`),
        await post(`/sign/${other}/signature`, { signature }),
        await post(`/sign/${other}/decline`, {}),
      ];
      expect([other, unknown.map(({ status }) => status)]).toEqual([other, [404, 404, 404, 404]]);
      expect(await unknown[0]?.text()).toContain("<h1>Nothing to sign · Nada para assinar</h1>");
    }
  });
});

describe("a posted signature", () => {
  it("is accepted once; a second one finds the request closed", async () => {
    const { desk, post } = site();
    const [first, second] = await Promise.all([1, 2].map(() => post(`/sign/${token}/signature`, { signature })));
    expect([first!.status, second!.status].sort()).toEqual([200, 410]);
    expect(desk.calls).toEqual([`signature ${signature}`, `signature ${signature}`]);
  });

  it("may be in hex or, as wallets write it, in base64", async () => {
    const { desk, post } = site();
    const base64 = Buffer.from(signature, "hex").toString("base64");
    for (const written of [signature.toUpperCase(), base64]) {
      await post(`/sign/${token}/signature`, { signature: written });
    }
    expect(desk.calls).toEqual([`signature ${signature}`, `signature ${signature}`]);
  });

  it("leaves the request open if it does not fit", async () => {
    const { desk, post } = site();
    desk.fits = () => false;
    expect((await post(`/sign/${token}/signature`, { signature })).status).toBe(422);
    expect(desk.state.kind).toBe("open");
  });

  it("is rejected unread if it is malformed, too long or from another site", async () => {
    const { desk, post } = site();
    const path = `/sign/${token}/signature`;
    for (const body of ["{", "[]", {}, { signature: 15 }, { signature, more: 1 }]) {
      expect((await post(path, body)).status).toBe(400);
    }
    expect((await post(path, { signature: "0".repeat(5000) })).status).toBe(413);
    for (const origin of ["https://evil.example", "null", "", `${publicUrl}.evil.example`, "http://swapdesk.example"]) {
      expect([origin, (await post(path, { signature }, origin)).status]).toEqual([origin, 403]);
    }
    expect(desk.calls).toEqual([]);
  });

  it("is answered with a failure, but not its reason, if the store fails", async () => {
    const { post } = site(request, {
      postSignature: async () => {
        throw new Error("secret of the store");
      },
    });
    const answer = await post(`/sign/${token}/signature`, { signature });
    expect(answer.status).toBe(503);
    const text = await answer.text();
    expect(text).toContain("reach the bot");
    expect(text).toContain("Não dá para acessar o bot");
    expect(text).not.toContain("secret");
  });
});

it("a request can be declined", async () => {
  const { desk, post } = site();
  expect((await post(`/sign/${token}/decline`, {})).status).toBe(200);
  expect((await post(`/sign/${token}/decline`, {})).status).toBe(410);
  expect(desk.calls).toEqual(["decline", "decline"]);
});
