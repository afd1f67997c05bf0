/** What the outbox remembers besides its rows, in SQL for both engines. */
export const outboxTables = {
  /**
   * A user's place among those for whom the outbox has something: for messages, and apart from them for edits (`edits` is
   * 1). `due_at`: when the first of their rows is due; null if none is. `turn`: the greatest that anybody had, and one
   * more, when they were sent something last; 0 before.
   */
  outbox_turns: `user_id BIGINT NOT NULL, edits INTEGER NOT NULL, due_at BIGINT, turn BIGINT NOT NULL,
    PRIMARY KEY (user_id, edits)`,
  /** Messages of a topic that may not have reached a user, since they are sent only once: how many, and when the last was. */
  outbox_unclear: `user_id BIGINT NOT NULL, topic TEXT NOT NULL, count INTEGER NOT NULL, at BIGINT NOT NULL,
    PRIMARY KEY (user_id, topic)`,
  /**
   * What may go to and fro, by the row of the outbox that tells it. `sent`: JSON of when messages about it were sent lately.
   * `jumps`: 1 from the message that says so until the one that says that it is steady. `count`: how often it happened,
   * `last_at`: when last.
   */
  outbox_storms: `user_id BIGINT NOT NULL, topic TEXT NOT NULL, subject TEXT NOT NULL, sent TEXT NOT NULL, jumps INTEGER,
    count INTEGER NOT NULL, last_at BIGINT NOT NULL, PRIMARY KEY (user_id, topic, subject)`,
} as const;

export const sayingWhatIsUnclear = `CREATE TABLE outbox_unclear (${outboxTables.outbox_unclear});`;

export const calming = `CREATE TABLE outbox_storms (${outboxTables.outbox_storms});`;
