import type { Config } from "./config.js";

/** Variables with links that Telegram takes in no button: those to a host without a dot that is no IP address. */
export function refusedLinks({
  explorerUrl,
  publicUrl,
  supportContact,
}: Pick<Config, "explorerUrl" | "publicUrl" | "supportContact">): readonly string[] {
  const links = { EXPLORER_URL: explorerUrl, PUBLIC_URL: publicUrl, SUPPORT_CONTACT: supportContact };
  return Object.entries(links).flatMap(([name, link = ""]) => {
    if (!/^https?:/.test(link) || !URL.canParse(link)) return [];
    return /^\[|\./.test(new URL(link).hostname) ? [] : [name];
  });
}

/** What is wrong with a variable that {@link refusedLinks} names. */
export const refusedLinkSentence = (name: string): string =>
  `${name} has a host without a dot, and Telegram takes no link to such: write the host's whole name, or its IP address`;
