import { buttons } from "../../cards/buttons.js";
import { securityCard } from "../../cards/security.js";
import type { Parts } from "../context.js";
import { enterDialog } from "../dialogs/enter.js";
import type { Commands, Feature } from "../feature.js";
import { viewOf } from "../person.js";
import { sendCard } from "../send.js";
import { onTap } from "../tap.js";

/** `/security`: limits, the phrase, and the last changes to what guards a person's money. */
export function securityFeature(parts: Pick<Parts, "clock" | "settings">): Feature {
  const taps = [
    onTap(buttons.guard, async (ctx, guard) => {
      await ctx.answerCallbackQuery();
      await enterDialog(ctx, "setting", guard);
    }),
  ];

  const commands: Commands = {
    security: async (ctx) => {
      await sendCard(ctx, securityCard(ctx.person, parts.clock.now(), viewOf(ctx.person, parts)));
    },
  };

  return { commands, taps };
}
