import type { Connection } from '../../sqlite/open.ts';
import { indexesOf, totalOrder } from '../indexes.ts';
import type { CollectionDeclaration, IndexDeclaration } from '../port.ts';
import { valueSql } from './expressions.ts';

/** Migrations of a generation's file (stores/sqlite/migrate.ts). */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE collections (
    name TEXT NOT NULL PRIMARY KEY,
    declaration TEXT NOT NULL
  ) STRICT;
  CREATE TABLE checkpoint (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    log_id TEXT NOT NULL,
    position TEXT NOT NULL,
    event_id TEXT
  ) STRICT;
  `,
];

const COLLECTION = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Returns the quoted name of the table of a collection. */
export const tableOf = (collection: string): string => {
  if (!COLLECTION.test(collection))
    throw new TypeError(`${JSON.stringify(collection)} is not a valid name of a collection.`);
  return `"documents_${collection}"`;
};

/** Returns the declarations of the collections in a file; empty before `makeCollections`. */
export const declarationsIn = (connection: Connection): Map<string, CollectionDeclaration> => {
  const rows = connection.prepare('SELECT name, declaration FROM collections').raw().all() as [string, string][];
  return new Map(rows.map(([name, declaration]) => [name, JSON.parse(declaration) as CollectionDeclaration]));
};

/**
 * Creates missing collections, without their indexes. Documents are usually stored in a table with a rowid, and an
 * index refers to them by id. Ids are random, so in a B-tree of ids every insert would move long texts to other
 * positions. Small documents are stored in a B-tree of ids, where an insert changes one page instead of two. An
 * existing table stays unchanged until the next rebuild, even if `small` was changed. The id column has no type, so
 * that SQLite does not convert a number in a query to a text.
 */
export const makeCollections = (
  connection: Connection,
  collections: Readonly<Record<string, CollectionDeclaration>>,
): void => {
  const declare = connection.prepare('INSERT OR REPLACE INTO collections (name, declaration) VALUES (?, ?)');
  for (const [name, declaration] of Object.entries(collections)) {
    connection.exec(
      `CREATE TABLE IF NOT EXISTS ${tableOf(name)} (id ANY NOT NULL PRIMARY KEY, document TEXT NOT NULL) STRICT${declaration.small === true ? ', WITHOUT ROWID' : ''}`,
    );
    declare.run(name, JSON.stringify(declaration));
  }
};

/** Creates declared indexes that are missing, and removes indexes that are not declared any more. */
export const makeIndexes = (connection: Connection): void => {
  for (const [collection, declaration] of declarationsIn(connection)) {
    const wanted = new Map(indexesOf(declaration).map((index) => [indexName(collection, index), index]));
    for (const name of indexesIn(connection, collection)) {
      if (!wanted.delete(name)) connection.exec(`DROP INDEX "${name}"`);
    }
    for (const [name, index] of wanted) connection.exec(createIndexSql(collection, name, index));
  }
};

const indexesIn = (connection: Connection, collection: string): string[] =>
  connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
    .pluck()
    .all(tableOf(collection).slice(1, -1)) as string[];

/**
 * Returns the name of an index: `incidents(page_id, created_at desc)`. The name contains the fields, so a changed
 * declaration results in a new index.
 */
const indexName = (collection: string, index: IndexDeclaration): string => {
  const fields = Object.entries(index).map(([field, direction]) => (direction === 1 ? field : `${field} desc`));
  return `${collection}(${fields.join(', ')})`;
};

const createIndexSql = (collection: string, name: string, index: IndexDeclaration): string => {
  const terms = totalOrder(index).map(([field, direction]) => `${valueSql(field)} ${direction === 1 ? 'ASC' : 'DESC'}`);
  return `CREATE INDEX "${name}" ON ${tableOf(collection)} (${terms.join(', ')})`;
};
