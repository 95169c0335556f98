import { DamagedEvent } from '../port.ts';
import type { Connection } from '../../sqlite/driver.ts';

/** The end of a stream. */
export interface StreamEnd {
  /** the stream's number in the dictionary */
  stream: number;
  /** revision of its last event */
  revision: number;
}

/**
 * Creates a function that returns the end of a stream; null if the stream does not exist. SQLite's indexes have no
 * checksums. So the function also reads the neighbouring index entries, to detect an entry that is missing or in the
 * wrong order because of damage. If the stream exists, the last event before the next stream must belong to it, and the
 * next stream must begin with revision 0, unless retention has removed events. If the stream does not exist, the
 * neighbouring names in the index must be the same as in the table.
 *
 * @throws DamagedEvent
 */
export const createStreamEnds = (connection: Connection): ((stream: string) => StreamEnd | null) => {
  const numberOf = connection.prepare<[string], number>('SELECT stream FROM streams WHERE name = ?').pluck();
  const entry = (sql: string) => connection.prepare<[string], [string, number]>(sql).raw();
  const entriesAround = [
    entry('SELECT name, stream FROM streams WHERE name < ? ORDER BY name DESC LIMIT 1'),
    entry('SELECT name, stream FROM streams WHERE name > ? ORDER BY name LIMIT 1'),
  ];
  const nameOf = connection.prepare<[number], string>('SELECT name FROM streams WHERE stream = ?').pluck();
  const lastUpTo = connection
    .prepare<[number], [number, number]>(
      'SELECT stream, revision FROM events WHERE stream <= ? ORDER BY stream DESC, revision DESC LIMIT 1',
    )
    .raw();
  const firstAfter = connection
    .prepare<[number], number>('SELECT revision FROM events WHERE stream > ? ORDER BY stream, revision LIMIT 1')
    .pluck();
  const removed = connection.prepare<[], number>('SELECT removed FROM bounds').pluck();

  const damaged = (stream: string): DamagedEvent =>
    new DamagedEvent(`The index of streams in ${connection.name} is damaged where ${stream} ends.`, { stream });

  return (name) => {
    const number = numberOf.get(name);
    if (number === undefined) {
      const around = entriesAround.map((statement) => statement.get(name));
      if (around.every((found) => !found || nameOf.get(found[1]) === found[0])) return null;
      throw damaged(name);
    }
    const [stream, revision] = lastUpTo.get(number) ?? [];
    const next = firstAfter.get(number) ?? 0;
    if (stream !== number || revision === undefined || (next > 0 && removed.get() === 0)) throw damaged(name);
    return { stream, revision };
  };
};
