import * as z from "zod";
import { RESTORED } from "../../store/restored-mark.js";
import { setting } from "../../store/store.js";

/**
 * From when to when nothing is known, since the data was restored or lost its last writes: null if it never was.
 * `until` is null until the first start afterwards.
 */
export const restored = setting(
  RESTORED,
  z.object({ from: z.number().nullable(), until: z.number().nullable() }).nullable(),
  null,
);
