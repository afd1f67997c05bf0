import type { FormParts } from "../../conversations/interview.js";
import { multihopForm } from "../../conversations/multihop.js";
import type { Feature } from "../feature.js";
import { answerCommand, openCard, type OpenCardParts } from "../intents/open.js";

export function multihopFeature(parts: OpenCardParts & { readonly forms: FormParts }): Feature {
  const form = multihopForm({ ...parts.forms, submit: (userId, request) => openCard(parts, userId, request) });
  return {
    name: "multihop",
    commands: { multihop: (ctx, typed) => answerCommand(parts, ctx, form, "multihop", typed) },
    forms: [form],
  };
}
