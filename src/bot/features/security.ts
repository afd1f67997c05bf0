import { buttons } from "../../cards/buttons.js";
import { securityCard } from "../../cards/security.js";
import type { Parts } from "../context.js";
import { enterDialog } from "../dialogs/enter.js";
import type { Feature } from "../feature.js";
import { replyCard } from "../../conversations/reply-card.js";
import { onTap } from "../tap.js";

/** `/security`: limits, the phrase, and the last changes to what guards a person's money. */
export function securityFeature({ clock }: Pick<Parts, "clock">): Feature {
  return {
    commands: {
      security: (ctx) => replyCard(ctx, securityCard(ctx.person, clock.now(), ctx.view)),
    },
    taps: [onTap(buttons.guard, (ctx, guard) => enterDialog(ctx, "setting", guard))],
  };
}
