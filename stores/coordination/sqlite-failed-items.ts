import type { Connection } from '../sqlite/open.ts';
import type { FailedItemCount, FailedItem, FailedItems } from './port.ts';

export const FAILED_ITEMS_TABLE = `
  CREATE TABLE held_items (
    reactor TEXT NOT NULL,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    again INTEGER NOT NULL,
    tried INTEGER NOT NULL,
    since INTEGER NOT NULL,
    reason TEXT NOT NULL,
    token INTEGER NOT NULL,
    PRIMARY KEY (reactor, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX held_items_by_state ON held_items (reactor, state, since);
`;

const FIELDS = 'id, position, state, tries, again, tried, since, reason';

/**
 * Stores the failed items of reactors in the same file as the reactors' checkpoints. A power cut can lose the newest
 * writes. But because items and checkpoints share a file, an item is not lost after the checkpoint has moved past it.
 *
 * @param ask runs an operation on the file, and converts its errors to those of the port
 */
export const sqliteFailedItems = (connection: Connection, ask: <T>(action: () => T) => Promise<T>): FailedItems => {
  const keep = connection.prepare<[string, ...unknown[]]>(
    `INSERT INTO held_items (reactor, token, ${FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (reactor, id) DO UPDATE SET token = excluded.token, position = excluded.position,
       state = excluded.state, tries = excluded.tries, again = excluded.again, tried = excluded.tried,
       since = excluded.since, reason = excluded.reason
     WHERE token <= excluded.token`,
  );
  const release = connection.prepare<[string, bigint, string]>(
    'DELETE FROM held_items WHERE reactor = ? AND token <= ? AND id IN (SELECT value FROM json_each(?))',
  );
  const all = connection.prepare<[string, string, number], FailedItem>(
    `SELECT ${FIELDS} FROM held_items WHERE reactor = ? AND id > ? ORDER BY id LIMIT ?`,
  );
  const inState = connection.prepare<[string, string, string, number], FailedItem>(
    `SELECT ${FIELDS} FROM held_items WHERE reactor = ? AND id > ? AND state = ? ORDER BY id LIMIT ?`,
  );
  const find = connection.prepare<[string, string], FailedItem>(
    `SELECT ${FIELDS} FROM held_items WHERE reactor = ? AND id IN (SELECT value FROM json_each(?))`,
  );
  const counts = connection.prepare<[], FailedItemCount>(
    `SELECT reactor, sum(state = 'retrying') AS retrying, sum(state = 'given_up') AS given_up,
       min(CASE state WHEN 'retrying' THEN since END) AS retrying_since
     FROM held_items GROUP BY reactor ORDER BY reactor`,
  );
  const retry = connection.prepare<[string, string | null, string | null]>(
    `UPDATE held_items SET state = 'retrying', tries = 0, again = 0 WHERE reactor = ? AND (? IS NULL OR id = ?)`,
  );
  const clear = connection.prepare<[string]>('DELETE FROM held_items WHERE reactor = ?');
  const keepAll = connection.transaction((reactor: string, token: bigint, items: readonly FailedItem[]) => {
    for (const { id, position, state, tries, again, tried, since, reason } of items) {
      keep.run(reactor, token, id, position, state, tries, again, tried, since, reason);
    }
  });

  return {
    store: (reactor, token, items) =>
      ask(() => {
        keepAll.immediate(reactor, token, items);
      }),
    remove: (reactor, token, ids) =>
      ask(() => {
        release.run(reactor, token, JSON.stringify(ids));
      }),
    // For the first page, `after` is the empty string, which sorts before every id.
    page: (reactor, { after, limit, state }) =>
      ask(() =>
        state === undefined ? all.all(reactor, after ?? '', limit) : inState.all(reactor, after ?? '', state, limit),
      ),
    find: (reactor, ids) => ask(() => find.all(reactor, JSON.stringify(ids))),
    counts: () => ask(() => counts.all()),
    retry: (reactor, id) => ask(() => retry.run(reactor, id, id).changes),
    clear: (reactor) =>
      ask(() => {
        clear.run(reactor);
      }),
  };
};
