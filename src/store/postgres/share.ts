import { runMigrations } from "graphile-worker";
import type pg from "pg";
import type { ServiceName } from "../../fault.js";
import { joinInstances } from "./instances.js";
import { openDatabase } from "./open.js";
import { createPool, withConnection } from "./pool.js";
import { createRequestSlots } from "./request-slots.js";
import { createPostgresStore } from "./store.js";
import { createUpdateLog } from "./update-log.js";

/** What one of several instances works with. */
export type Shared = Awaited<ReturnType<typeof shareDatabase>>;

/** Opens the store of a database that several instances share, and joins them. @throws Fault as `openDatabase` does. */
export async function shareDatabase(
  parts: Parameters<typeof joinInstances>[0] & { readonly onBroken: (error: Error) => void },
) {
  const { url, clock, onBroken } = parts;
  const storePool = await openDatabase(url, onBroken);
  const pool = createPool(url, onBroken);
  try {
    await prepareQueue(pool);
    const instance = await joinInstances(parts);
    return {
      store: createPostgresStore({ pool: storePool, clock, instance }),
      instance,
      updates: createUpdateLog(pool, instance.fence),
      /** For the queue: what waits there keeps nobody from the store. */
      pool,
      /** The requests to a service that all instances may begin in a second; resolves when one may. */
      requestSlots: (service: ServiceName, perSecond: number) =>
        createRequestSlots({ pool, clock, service, perSecond }),
      /** Lets go of everything, the last of all. */
      close: async (): Promise<void> => {
        await pool.end();
        await instance.leave();
      },
    };
  } catch (error) {
    await Promise.all([storePool.end(), pool.end()]);
    throw error;
  }
}

/** The queue's own tables; of several programs that start together one makes them. */
function prepareQueue(pool: pg.Pool): Promise<void> {
  return withConnection(pool, async (connection) => {
    await connection.query("SELECT pg_advisory_lock(hashtext('swapdesk.queue'))");
    await runMigrations({ pgPool: pool });
    await connection.query("SELECT pg_advisory_unlock(hashtext('swapdesk.queue'))");
  });
}
