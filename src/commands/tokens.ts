// `npm run tokens -- add ID…`, `-- remove ID…`, `-- check`, `-- print ID…` maintains TOKENS_FILE from the node at NODE_URL. Nothing is
// guessed: if the node doesn't know a token, or its answer can't be read, the command changes nothing and exits with 1.
import { existsSync } from "node:fs";
import { config as readDotenv } from "dotenv";
import pino from "pino";
import { systemClock } from "../clock.js";
import { usesSandboxTokens, variables } from "../config.js";
import type { Token } from "../encoding/amount.js";
import { isFault } from "../fault.js";
import { operatorSentence } from "../operator-sentence.js";
import { createHttp } from "../services/base/http.js";
import { readListedToken } from "../services/chain/asset.js";
import { linesOf, tokenFile } from "../services/market/token-list.js";

const USAGE = `Usage: npm run tokens -- add KLV KFI …     asks the node and adds to TOKENS_FILE, or corrects what stands there
       npm run tokens -- remove KFI …     takes tokens off TOKENS_FILE
       npm run tokens -- check            compares TOKENS_FILE with the node
       npm run tokens -- print KLV KFI …  asks the node and prints a list; changes nothing`;

const print = (text: string) => process.stdout.write(`${text}\n`);
const complain = (exitCode: number, text: string) => {
  process.stderr.write(`${text}\n`);
  return exitCode;
};

readDotenv({ quiet: true });
process.exitCode = await run(process.argv.slice(2));

async function run([command = "", ...ids]: readonly string[]): Promise<number> {
  const isKnown =
    command === "check" ? ids.length === 0 : ["add", "print", "remove"].includes(command) && ids.length > 0;
  if (!isKnown) return complain(64, USAGE);
  const url = variables.NODE_URL.safeParse(process.env["NODE_URL"]?.trim());
  if (!url.success) return complain(78, "NODE_URL is missing or not a URL: set it in .env to your node's address");
  const path = variables.TOKENS_FILE.parse(process.env["TOKENS_FILE"]?.trim() || undefined);
  if (command !== "print" && usesSandboxTokens(path, url.data)) {
    return complain(78, `TOKENS_FILE is missing: set it in .env, as ${path} lists the sandbox's tokens`);
  }
  const file = tokenFile(path);
  const http = createHttp({ timeoutSeconds: 10, clock: systemClock, log: pino({ level: "silent" }) });
  const ask = (id: string) => readListedToken({ nodeUrl: url.data, http }, id);
  const sentenceOf = (error: unknown) => sentenceAbout(error, url.data);
  try {
    if (command === "remove") return await remove(ids, file, path);
    if (command === "check") return await checkListed(await file.read(), ask, sentenceOf);
    const asked: Token[] = [];
    for (const id of ids) asked.push(await ask(id));
    if (command === "add") return await add(asked, file, path);
    process.stdout.write(linesOf(asked));
    return 0;
  } catch (error) {
    return complain(
      1,
      command === "add" || command === "remove"
        ? `${sentenceOf(error)}\n${path} was left as it is.`
        : sentenceOf(error),
    );
  } finally {
    await http.close();
  }
}

/** Keeps names that the operator has chosen, and a file in which nothing has to change. */
async function add(asked: readonly Token[], file: ReturnType<typeof tokenFile>, path: string): Promise<number> {
  const list = new Map((existsSync(path) ? await file.read() : []).map((token) => [token.id, token]));
  let changes = 0;
  for (const token of asked) {
    const before = list.get(token.id);
    const change = before === undefined ? `added, ${factsOf(token)}` : differenceOf(before, token);
    print(`${token.id}: ${change ?? "unchanged"}`);
    if (change === undefined) continue;
    changes += 1;
    list.set(token.id, { ...token, name: before?.name ?? token.name });
  }
  return changes === 0 ? 0 : writeList([...list.values()], file, path);
}

/** Removes all or none: a name that isn't listed is probably a slip. */
async function remove(ids: readonly string[], file: ReturnType<typeof tokenFile>, path: string): Promise<number> {
  const listed = await file.read();
  const gone = new Set(ids.map((id) => id.toUpperCase()));
  const strange = [...gone].filter((id) => listed.every((token) => token.id !== id));
  if (strange.length > 0) return complain(1, `${path} doesn't list ${strange.join(", ")}: it was left as it is.`);
  const exitCode = await writeList(
    listed.filter(({ id }) => !gone.has(id)),
    file,
    path,
  );
  if (exitCode === 0) for (const id of gone) print(`${id}: removed`);
  return exitCode;
}

async function writeList(tokens: readonly Token[], file: ReturnType<typeof tokenFile>, path: string): Promise<number> {
  try {
    await file.write(tokens);
    return 0;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const exitCode = complain(1, `${path} can't be replaced (${String(error.code)}). Put this there yourself:`);
    process.stdout.write(linesOf(tokens));
    return exitCode;
  }
}

async function checkListed(
  listed: readonly Token[],
  ask: (id: string) => Promise<Token>,
  sentenceOf: (error: unknown) => string,
): Promise<number> {
  let problems = 0;
  for (const token of listed) {
    const compare = async () => differenceOf(token, await ask(token.id));
    const difference = await compare().catch(sentenceOf);
    if (difference !== undefined) problems += 1;
    print(`${token.id}: ${difference ?? `as listed, ${factsOf(token)}`}`);
  }
  if (problems === 0) return 0;
  return complain(
    1,
    "Take over what the node says: npm run tokens -- add ID …. What it doesn't know: npm run tokens -- remove ID ….",
  );
}

function sentenceAbout(error: unknown, nodeUrl: string): string {
  if (!isFault(error)) throw error;
  return operatorSentence(error, { node: ["NODE_URL", nodeUrl] });
}

function factsOf({ kind, precision }: Token): string {
  return `${kind}, precision ${precision ?? "unknown"}`;
}

function differenceOf(listed: Token, asked: Token): string | undefined {
  const [known, told] = [factsOf(listed), factsOf(asked)];
  return known === told ? undefined : `listed as ${known}; the node says ${told}`;
}
