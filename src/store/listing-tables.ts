/** What operators are asked to list, in SQL for both engines. */
export const listingTables = {
  /**
   * Tokens that operators were asked to list, once for all who ask. `user_id`: who asked, in whose turn it is told; 0 once
   * they are forgotten. `rights`: JSON of what its issuer could do then. `told_at`: when operators were told; null while it
   * waits.
   */
  listing_requests: `token TEXT PRIMARY KEY, user_id BIGINT NOT NULL, at BIGINT NOT NULL, rights TEXT NOT NULL,
    told_at BIGINT`,
} as const;

export const listing = `CREATE TABLE listing_requests (${listingTables.listing_requests});
  CREATE INDEX listing_requests_owner ON listing_requests (user_id, told_at);
  CREATE INDEX listing_requests_told ON listing_requests (told_at);
  CREATE INDEX listing_requests_waiting ON listing_requests (at) WHERE told_at IS NULL;`;
