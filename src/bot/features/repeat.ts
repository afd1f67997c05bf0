import { repeatCard } from "../../cards/repeat.js";
import { replyCard } from "../../conversations/reply-card.js";
import type { Parts } from "../context.js";
import type { Feature } from "../feature.js";

/** How many of the newest intents are looked through. */
const LOOKED_THROUGH = 50;

/** `/repeat`: the last trades as buttons, each of which opens a new card. */
export function repeatFeature({ intents }: Pick<Parts, "intents">): Feature {
  return {
    commands: {
      repeat: async (ctx) => {
        const { items } = await intents.history(ctx.userId, 0, LOOKED_THROUGH);
        await replyCard(ctx, repeatCard(items, ctx.words));
      },
    },
  };
}
