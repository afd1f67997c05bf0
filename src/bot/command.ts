import type { Context } from "grammy";
import type { MessageEntity } from "grammy/types";

/** The command that a message begins with, in small letters, unless it is for another bot; and what follows it. */
export function commandOf(ctx: Context): { readonly command: string; readonly rest: string } | undefined {
  const { text = "", entities } = ctx.message ?? {};
  const entity = entities?.find(isAtBeginning);
  if (entity === undefined) return undefined;
  const [command = "", addressee] = text.slice(1, entity.length).split("@");
  if (addressee !== undefined && addressee.toLowerCase() !== ctx.me.username.toLowerCase()) return undefined;
  return { command: command.toLowerCase(), rest: text.slice(entity.length).trimStart() };
}

/** Whether the message is a command. A slash further on, say in an address or a token id, does not make one. */
export function beginsWithCommand(ctx: Pick<Context, "message">): boolean {
  return ctx.message?.entities?.some(isAtBeginning) ?? false;
}

function isAtBeginning({ type, offset }: MessageEntity): boolean {
  return type === "bot_command" && offset === 0;
}
