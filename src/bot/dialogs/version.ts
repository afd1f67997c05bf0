import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Put in by the build, which leaves no folder to look at. */
declare const builtDialogVersion: string | undefined;

/** Where the dialogs' code lies. */
const dialogFolder = fileURLToPath(new URL("../../conversations", import.meta.url));

/**
 * A hash over all code in a folder. A dialog is replayed by the code, so a dialog that began under another version
 * of it can't go on; nobody has to remember to raise a number.
 */
export function dialogVersion(folder = dialogFolder): string {
  if (folder === dialogFolder && typeof builtDialogVersion === "string") return builtDialogVersion;
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.[jt]s$/.test(name));
  for (const name of files.sort())
    hash
      .update(name)
      .update("\0")
      .update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 16);
}
