// Preloaded into a program, makes SQLite's syncs fail once the file named by FAIL_SYNCS exists, and take SYNC_MS
// longer.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);
const path = load.resolve("@photostructure/sqlite");
const sqlite = load(path);
const late = Number(process.env.SYNC_MS ?? 0);

class DatabaseSync extends sqlite.DatabaseSync {
  exec(sql) {
    if (sql === "COMMIT") {
      if (late > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, late);
      if (existsSync(process.env.FAIL_SYNCS ?? "")) {
        // SQLITE_IOERR_FSYNC
        throw Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode: 1034 });
      }
    }
    return super.exec(sql);
  }
}
load.cache[path].exports = { ...sqlite, DatabaseSync };
