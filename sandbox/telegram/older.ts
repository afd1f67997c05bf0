import { badRequest } from "./api-error.js";
import type { RawParameters } from "./parameters.js";

/** Features that an old self-hosted server may lack. */
export const additions = [
  "expandable_blockquote",
  "copy_text",
  "style",
  "date_time",
  "disabled",
  "force_reply",
  "ephemeral",
] as const;
export type Addition = (typeof additions)[number];

const unknownButton = () =>
  badRequest("Can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");

type Button = Readonly<Record<string, unknown>>;

/**
 * Treats requests like a server that lacks some additions: refuses what it would consider invalid, in its own words
 * (tdlib/telegram-bot-api, Client.cpp), and silently drops what it never reads.
 */
export function createOlderServer() {
  let lacking: ReadonlySet<Addition> = new Set();
  return {
    lacks: (addition: Addition): boolean => lacking.has(addition),
    lacking: (): Addition[] => [...lacking],
    setLacking: (missing: readonly Addition[]): void => {
      lacking = new Set(missing);
    },

    /** @returns the parameters that such a server reads. */
    read(parameters: RawParameters): RawParameters {
      for (const type of entityTypes(parameters)) {
        if (lacking.has(type as Addition)) throw badRequest("Can't parse MessageEntity: Unsupported type specified");
      }
      const markup = parameters["reply_markup"] as { inline_keyboard?: Button[][]; force_reply?: boolean } | undefined;
      for (const button of markup?.inline_keyboard?.flat() ?? []) {
        if (lacking.has("style") && "style" in button) {
          throw badRequest("Can't parse inline keyboard button: invalid button style specified");
        }
        if (["disabled", "copy_text"].some((name) => lacking.has(name as Addition) && name in button)) {
          throw unknownButton();
        }
      }
      const ignored = lacking.has("ephemeral") ? ["ephemeral_message_parameters"] : [];
      const heard = Object.fromEntries(Object.entries(parameters).filter(([name]) => !ignored.includes(name)));
      if (!lacking.has("force_reply") || markup?.inline_keyboard === undefined) return heard;
      return { ...heard, reply_markup: { inline_keyboard: markup.inline_keyboard } };
    },
  };
}

function entityTypes({ entities, caption_entities }: RawParameters): string[] {
  return [entities, caption_entities].flatMap((list) => ((list ?? []) as { type: string }[]).map(({ type }) => type));
}
