import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { adaptToBetterSqlite3, type NodeSqlite } from './database-sync.ts';

/** Loads a package by its name, as `require` does. */
type Load = (name: string) => unknown;

const [MAJOR = 0] = process.versions.node.split('.').map(Number);

const BETTER_SQLITE3 = 'better-sqlite3';
const NODE_SQLITE = '@photostructure/sqlite';

/**
 * Returns the packages that can be used with a major version of Node.js, in order of preference. All of them include
 * their binaries.
 *
 * - better-sqlite3 is faster, but crashes on Node.js 20. On that version, npm does not install it (package.json:
 * optionalDependencies).
 *
 * - @photostructure/sqlite runs on all versions. On newer versions of Node.js it is used if better-sqlite3 is not
 * installed: npm 10 omits better-sqlite3 without an error on machines where node-gyp can't run.
 */
export const packagesFor = (major: number): string[] => (major >= 22 ? [BETTER_SQLITE3, NODE_SQLITE] : [NODE_SQLITE]);

/**
 * Loads the SQLite driver, and opens a database in memory to verify that the driver's native part works.
 *
 * @throws Error no package is installed, or none for this version of Node.js; the message is a sentence
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

/** The SQLite driver, which has the interface of better-sqlite3 whichever package was loaded. */
const Database = loadDriver(MAJOR, createRequire(import.meta.url));
export default Database;

/** An error of SQLite. `code` is for example `SQLITE_BUSY`. */
export const { SqliteError } = Database;

export type Connection = BetterSqlite3.Database;
export type { Statement } from 'better-sqlite3';
