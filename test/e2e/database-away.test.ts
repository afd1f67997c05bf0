import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { addresses, startDesk, type Desk } from "../support/desk.js";
import { startPostgres, type PostgresServer } from "../support/postgres.js";
import { carriedOut } from "../support/stub-services.js";
import { until } from "../support/until.js";

let server: PostgresServer;
let url: string;
let desk: Desk;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
  desk = await startDesk({ DATABASE_URL: url });
});
afterAll(async () => {
  await desk.close();
  await server.close();
});

/**
 * How much longer an outage lasts than it takes to be noticed: `AWAY_SECONDS=20 npx vitest run test/e2e/database-away.test.ts` for
 * one as long as a server takes to be set up again.
 */
const AWAY_SECONDS = Number(process.env["AWAY_SECONDS"] ?? 0);
/** Its length is what is tested then, so that nothing else is waited for. */
const stayAway = () => sleep(AWAY_SECONDS * 1000);
/** A person waits as long as the database is away; and a test for several things one after the other, on a busy machine. */
vi.setConfig({ testTimeout: 60_000 + 2_000 * AWAY_SECONDS });

const away = /database is out of reach/;

describe.each([1, 2])("the database killed and back, time %i", (time) => {
  const amount = 100 * time;
  const value = `KLV=${amount}000000`;

  it("a confirm and a command wait for it, their person is told once, and one call leaves after it is back", async () => {
    const person = await desk.trader();
    person.says(`/swap ${amount} KLV KFI`);
    const card = await person.reads(/KLV → KFI/);
    await server.kill();
    person.taps(card, "✅ Confirm");
    person.says("/wallet");
    await person.reads(away);
    person.says("/fees");
    const stranger = desk.stranger("pt");
    stranger.says("/help");
    await stranger.reads(/banco de dados/);
    expect(desk.services.callsOf(value)).toEqual([]);

    await stayAway();
    await server.start();
    await person.sees(card, /node accepted it/);
    await person.reads(new RegExp(addresses.person));
    await stranger.reads(/\/swap/);
    expect(desk.services.callsOf(value)).toHaveLength(1);
    expect(person.transcript().filter((text) => away.test(text))).toHaveLength(1);
  });

  it("the outcome of a call that is under way meanwhile is written down after it is back", async () => {
    const person = await desk.trader();
    person.says(`/swap ${amount + 1} KLV KFI`);
    const card = await person.reads(/KLV → KFI/);
    let [isGone, answer] = [false, () => {}];
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    desk.services.onCall = async () => {
      await server.kill();
      isGone = true;
      await mayAnswer;
      return carriedOut;
    };
    person.taps(card, "✅ Confirm");
    await until(() => isGone);
    const unwritten = () => desk.program().output().split("The end of an intent was not written").length;
    const before = unwritten();
    answer();
    desk.services.onCall = () => carriedOut;
    await until(() => unwritten() > before);
    await stayAway();
    await server.start();
    await person.sees(card, /node accepted it/);
    expect(desk.services.callsOf(`KLV=${amount + 1}000000`)).toHaveLength(1);
  });
});

it("updates whose end the queue cannot note are handled all the same, and those after them", async () => {
  const trader = await desk.trader();
  trader.says("/swap 9 KLV KFI");
  const card = await trader.reads(/KLV → KFI/);
  let answer = () => {};
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
  desk.services.onCall = () => mayAnswer.then(() => carriedOut);
  trader.taps(card, "✅ Confirm");
  await until(() => desk.services.callsOf("KLV=9000000").length === 1);
  const database = new pg.Client(url);
  await database.connect();
  await database.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no job ends now'; END $$`);
  await database.query(
    `CREATE TRIGGER refuse BEFORE DELETE ON graphile_worker._private_jobs EXECUTE FUNCTION refuse()`,
  );
  for (const person of [desk.stranger(), desk.stranger()]) {
    person.says("/help");
    await person.reads(/\/swap/);
  }
  answer();
  await trader.sees(card, /node accepted it/);
  await database.query("DROP FUNCTION refuse CASCADE");
  await database.end();
  trader.says("/help");
  await trader.reads(/\/swap/);
});

it("what was done is there after the program was killed too", async () => {
  const person = await desk.trader();
  person.says("/swap 7 KLV KFI");
  const card = await person.reads(/KLV → KFI/);
  const confirm = card.buttons[0]!.data;
  person.forges(card, confirm);
  await person.sees(card, /node accepted it/);
  await desk.crash();
  desk.start();
  person.forges(card, confirm);
  person.says("/history");
  await person.reads(/7 KLV/);
  expect(desk.services.callsOf("KLV=7000000")).toHaveLength(1);
});
