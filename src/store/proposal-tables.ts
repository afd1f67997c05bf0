/** The tables of what programs propose, in SQL for both engines. */
export const proposalTables = {
  /**
   * Links by which programs propose trades. `secret`: SHA-256 of the one that is in the link. `paused`: 1 while nothing is
   * taken. `last_at`: when the last proposal came. What came on `day`, the owner's: `came` trades, and how many were
   * `unread`, too `late`, or `unmade`, since no card could be made of them.
   */
  proposal_links: `id TEXT PRIMARY KEY, user_id BIGINT NOT NULL, name TEXT NOT NULL, secret TEXT NOT NULL,
    created_at BIGINT NOT NULL, last_at BIGINT, paused INTEGER, day TEXT NOT NULL, came INTEGER NOT NULL,
    unread INTEGER NOT NULL, late INTEGER NOT NULL, unmade INTEGER NOT NULL`,
  /**
   * What programs proposed in the last week. `key`: SHA-256 of the id that a program gave it, `words`: of what it said.
   * `trade`: how that was read, as a command. `good_until`: when it is too old. `due_at`: when to make its card, or to look
   * whether that arrived; null once either is over. `card`: its intent. `reason`: why there is no card, as a code.
   */
  proposals: `id TEXT PRIMARY KEY, link TEXT NOT NULL, user_id BIGINT NOT NULL, key TEXT, words TEXT NOT NULL,
    trade TEXT NOT NULL, at BIGINT NOT NULL, good_until BIGINT NOT NULL, due_at BIGINT, card TEXT, reason TEXT`,
} as const;

export const proposing = `
  CREATE TABLE proposal_links (${proposalTables.proposal_links}); CREATE TABLE proposals (${proposalTables.proposals});
  CREATE UNIQUE INDEX proposal_links_secret ON proposal_links (secret);
  CREATE INDEX proposal_links_owner ON proposal_links (user_id, created_at);
  CREATE INDEX proposals_due ON proposals (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX proposals_key ON proposals (link, key, at); CREATE INDEX proposals_words ON proposals (link, words, at);
  CREATE INDEX proposals_owner ON proposals (user_id, good_until); CREATE INDEX proposals_age ON proposals (at);`;
