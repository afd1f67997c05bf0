import { multihopForm } from "../../conversations/multihop.js";
import type { Feature } from "../feature.js";
import { answerCommand, openCard } from "../intents/open.js";
import type { FeatureParts } from "../parts.js";

export function multihopFeature(parts: FeatureParts): Feature {
  const form = multihopForm({ ...parts.forms, submit: (userId, request) => openCard(parts, userId, request) });
  return {
    name: "multihop",
    commands: { multihop: (ctx, typed) => answerCommand(parts, ctx, form, "multihop", typed) },
    forms: [form],
  };
}
