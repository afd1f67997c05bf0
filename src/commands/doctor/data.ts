import { join } from "node:path";
import type { Config } from "../../config.js";
import { DATA_FILE } from "../../store/database.js";
import { type StartTrial, tryFile, tryPostgres } from "../../store/trial.js";

/** Says what a start would do to what is stored; whether it could is tried on a copy. @throws Fault if it couldn't. */
export async function examineData(
  store: Config["store"],
): Promise<{ readonly verdict: "ok" | "note"; readonly text: string }> {
  const trial = store.kind === "postgres" ? await tryPostgres(store.url) : tryFile(join(store.directory, DATA_FILE));
  return findingOf(trial);
}

const UNTOLD =
  "the role may not read the server's timeline (pg_control_system, pg_walfile_name), so only counted writes tell of a failover";

function findingOf(trial: StartTrial | undefined): Awaited<ReturnType<typeof examineData>> {
  if (trial === undefined) return { verdict: "ok", text: "There is no data yet" };
  if (trial.tellsTimeline === false) {
    const { text } = findingOf({ ...trial, tellsTimeline: true });
    return { verdict: "note", text: `${text}; ${UNTOLD}` };
  }
  if (trial.version === trial.newest) return { verdict: "ok", text: "The tables are this version's" };
  const change = `A start changes the tables from version ${trial.version} to ${trial.newest}`;
  if (trial.isTried) return { verdict: "ok", text: `${change}; on a copy that worked` };
  return { verdict: "note", text: `${change}; the role may make no temporary tables to try it on` };
}
