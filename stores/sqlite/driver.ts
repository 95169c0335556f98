import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { adaptToBetterSqlite3, type NodeSqlite } from './database-sync.ts';

/** Loads a package by its name, as `require` does. */
type Load = (name: string) => unknown;

const [MAJOR = 0] = process.versions.node.split('.').map(Number);

const BETTER_SQLITE3 = 'better-sqlite3';
const NODE_SQLITE = '@photostructure/sqlite';

/**
 * The packages for a release of Node.js, the preferred one first. All of them include their binaries.
 * - better-sqlite3 is the faster one, but it crashes on Node.js 20, where npm does not install it (package.json:
 *   optionalDependencies).
 * - @photostructure/sqlite runs everywhere. On newer releases it is used if better-sqlite3 is not installed: npm 10
 *   silently omits that where node-gyp can't run.
 */
export const packagesFor = (major: number): string[] => (major >= 22 ? [BETTER_SQLITE3, NODE_SQLITE] : [NODE_SQLITE]);

/**
 * Loads the SQLite driver, and opens a database in memory to check that its native part works.
 *
 * @throws Error none is installed, or not for this Node.js; the message is a sentence
 */
export const loadDriver = (major: number, load: Load): typeof BetterSqlite3 => {
  const names = packagesFor(major);
  const causes: unknown[] = [];
  for (const name of names) {
    try {
      const loaded = load(name);
      const Database =
        name === NODE_SQLITE ? adaptToBetterSqlite3(loaded as NodeSqlite) : (loaded as typeof BetterSqlite3);
      new Database(':memory:').close();
      return Database;
    } catch (error) {
      causes.push(error);
    }
  }
  throw new Error(
    `SQLite can't be used: ${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} not installed for Node.js ` +
      `${process.versions.node} on ${process.platform}-${process.arch}. Run npm ci with this Node.js.`,
    { cause: causes.length > 1 ? new AggregateError(causes) : causes[0] },
  );
};

/** The interface of better-sqlite3, whichever package provides it. */
const Database = loadDriver(MAJOR, createRequire(import.meta.url));
export default Database;

/** SQLite's own error; `code` is for example `SQLITE_BUSY`. */
export const { SqliteError } = Database;

export type Connection = BetterSqlite3.Database;
export type { Statement } from 'better-sqlite3';
