import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { methods } from "./methods/table.js";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Methods whose `XxxParams` type the Bot API does not have, since they take nothing. */
const withoutParameters = ["getMe", "getWebhookInfo"];

const packages = fileURLToPath(new URL("../../node_modules/", import.meta.url));
const generated = fileURLToPath(new URL("../../.generated/", import.meta.url));
/** Where the schema lies in the packed sandbox, which comes without the tools to make it. */
const packed = new URL("bot-api.json", import.meta.url);

/**
 * A JSON schema with one definition `<method>` for the parameters of each method of the sandbox, made from the Bot API's types in
 * @gramio/types. Making it takes some seconds, so it is kept in `.generated/`, under the versions and methods that it was made with.
 */
export async function requestSchema(): Promise<JsonSchema> {
  const shipped = await readFile(packed, "utf8").catch(() => undefined);
  if (shipped !== undefined) return JSON.parse(shipped) as JsonSchema;
  const names = Object.keys(methods);
  const versions = [await versionOf("@gramio/types"), await versionOf("ts-json-schema-generator")];
  const table = createHash("sha256").update(names.join()).digest("hex").slice(0, 8);
  const file = `${generated}bot-api-${[...versions, table].join("-")}.json`;
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as JsonSchema;
  const schema = await makeSchema(names);
  // Several processes may start at once: each writes a file of its own and renames it.
  await writeFile(`${file}.${process.pid}`, JSON.stringify(schema));
  await rename(`${file}.${process.pid}`, file);
  return schema;
}

async function versionOf(name: string): Promise<string> {
  const { version } = JSON.parse(await readFile(`${packages}${name}/package.json`, "utf8")) as { version: string };
  return version;
}

async function makeSchema(names: readonly string[]): Promise<JsonSchema> {
  const folder = `${generated}bot-api-${process.pid}`;
  await mkdir(folder, { recursive: true });
  try {
    for (const part of ["objects", "params"]) {
      const source = await readFile(`${packages}@gramio/types/out/${part}.d.ts`, "utf8");
      await writeFile(`${folder}/${part}.ts`, plainTypes(source));
    }
    const fields = names.map((name) => `${name}: ${withoutParameters.includes(name) ? "{}" : typeName(name)};`);
    await writeFile(
      `${folder}/requests.ts`,
      `import type * as Params from "./params";\nexport interface Requests {\n${fields.join("\n")}\n}\n`,
    );
    // The types need nothing of a browser's or Node's, which would take as long to read as all else.
    await writeFile(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions: { lib: ["es5"], types: [] } }));
    const { createGenerator } = await import("ts-json-schema-generator");
    return createGenerator({
      path: `${folder}/requests.ts`,
      tsconfig: `${folder}/tsconfig.json`,
      type: "Requests",
      topRef: false,
      jsDoc: "none",
      skipTypeCheck: true,
      additionalProperties: false,
    }).createSchema("Requests") as JsonSchema;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function typeName(method: string): string {
  return `Params.${method.charAt(0).toUpperCase()}${method.slice(1)}Params`;
}

/** The types without what only helps programmers: objects that turn themselves into JSON or text, links to other modules. */
function plainTypes(source: string): string {
  return (
    source
      .replace(/\|\s*\{\s*toJSON\(\):[^}]*\}/g, "")
      .replace(/\|\s*\{\s*toString\(\): string\s*\}/g, "")
      .replace(/^import type \{.*$/gm, "")
      .replace(/TelegramInputFile = Blob/, "TelegramInputFile = object")
      // The published type leaves out the two plain forms, which Telegram's page has.
      .replace("TelegramRichText =", "TelegramRichText = string | TelegramRichText[]")
      .replace(/APIMethodReturn<[^>]*>/g, "unknown")
  );
}
