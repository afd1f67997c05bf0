import { buttons } from "../../cards/buttons.js";
import { securityCard } from "../../cards/security.js";
import type { Parts } from "../context.js";
import { enterDialog } from "../dialogs/enter.js";
import type { Feature } from "../feature.js";
import { viewOf } from "../person.js";
import { replyCard } from "../../conversations/reply-card.js";
import { onTap } from "../tap.js";

/** `/security`: limits, the phrase, and the last changes to what guards a person's money. */
export function securityFeature(parts: Pick<Parts, "clock" | "settings">): Feature {
  return {
    commands: {
      security: (ctx) => replyCard(ctx, securityCard(ctx.person, parts.clock.now(), viewOf(ctx.person, parts))),
    },
    taps: [onTap(buttons.guard, (ctx, guard) => enterDialog(ctx, "setting", guard))],
  };
}
