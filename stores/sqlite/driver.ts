import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/** Loads a package by its name, as `require` does. */
type Load = (name: string) => unknown;

const [MAJOR = 0] = process.versions.node.split('.').map(Number);

/**
 * The package that fits a release of Node.js: better-sqlite3 13 crashes on Node 20, and 12 aborts on
 * Node 24 when a worker thread ends. npm installs what supports the Node it runs on (package.json:
 * optionalDependencies), so 12 may be present on newer ones too, unused.
 */
export const packageFor = (major: number): string => (major >= 22 ? 'better-sqlite3' : 'better-sqlite3-node20');

/**
 * Loads the SQLite driver, and opens a database in memory to check that its native part is there.
 *
 * @throws Error it is not installed, or not for this Node.js; the message is a sentence
 */
export const loadDriver = (major: number, load: Load): typeof BetterSqlite3 => {
  const name = packageFor(major);
  try {
    const Database = load(name) as typeof BetterSqlite3;
    new Database(':memory:').close();
    return Database;
  } catch (error) {
    throw new Error(
      `SQLite can't be used: the package ${name} is not installed for Node.js ${process.versions.node} ` +
        `on ${process.platform}-${process.arch}. Run npm ci with this Node.js` +
        (major >= 22 ? '.' : '; without a prebuilt binary, it needs python3, make and a C++ compiler.'),
      { cause: error },
    );
  }
};

/** better-sqlite3, in the version that this Node.js can run. */
const Database = loadDriver(MAJOR, createRequire(import.meta.url));
export default Database;

/** SQLite's own error; `code` is for example `SQLITE_BUSY`. */
export const { SqliteError } = Database;

export type Connection = BetterSqlite3.Database;
export type { Statement } from 'better-sqlite3';
