import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { methods } from "./methods/table.js";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Methods without parameters, for which the types have no `XxxParams`. */
const withoutParameters = ["getMe", "getWebhookInfo"];

const packages = fileURLToPath(new URL("../../node_modules/", import.meta.url));
const generated = fileURLToPath(new URL("../../.generated/", import.meta.url));
/** The schema in the packed sandbox, which lacks the tools to generate it. */
const packed = new URL("bot-api.json", import.meta.url);

/**
 * A JSON schema with a property `<method>` for each method's parameters, generated from the Bot API's types in
 * `@gramio/types`. That takes some seconds, so it is cached in `.generated/`, by the versions and methods it is of.
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
  // Several processes may start at once, so each writes its own file and renames it.
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
    // The types need neither the DOM's nor Node's, which would take as long to read as everything else.
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

/** Removes what only helps programmers: types with `toJSON` or `toString`, and imports. */
function plainTypes(source: string): string {
  return (
    source
      .replace(/\|\s*\{\s*toJSON\(\):[^}]*\}/g, "")
      .replace(/\|\s*\{\s*toString\(\): string\s*\}/g, "")
      .replace(/^import type \{.*$/gm, "")
      .replace(/TelegramInputFile = Blob/, "TelegramInputFile = object")
      // The published type lacks the two plain forms that Telegram documents.
      .replace("TelegramRichText =", "TelegramRichText = string | TelegramRichText[]")
      .replace(/APIMethodReturn<[^>]*>/g, "unknown")
  );
}
