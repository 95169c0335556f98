import { LRUCache } from 'lru-cache';
import type { Connection } from '../../sqlite/open.ts';
import type { Scalar } from '../port.ts';
import { pathOf, textTest } from '../values.ts';

// SQLite orders NULL < numbers < texts < blobs. Booleans are represented as blobs, for three reasons: the order is then
// that of the port, values of different types are never equal, and every comparison within a type is one range of an
// index.
const FALSE = Buffer.of(0);
const TRUE = Buffer.of(1);

/** Converts a value to an SQL parameter. */
export type Parameter = string | number | Buffer;

export const parameterOf = (value: Exclude<Scalar, null>): Parameter =>
  typeof value === 'boolean' ? (value ? TRUE : FALSE) : value;

/** The range of each type in SQLite's order: from `from`, inclusive, to `below`, exclusive. */
export const TYPE_BOUNDS = {
  number: { from: null, below: `''` },
  string: { from: `''`, below: `x''` },
  boolean: { from: `x''`, below: `x'02'` },
} as const;

/**
 * Returns SQL for a value with a JSON type. Arrays and objects become a blob that sorts after all scalars and equals
 * none of them.
 */
const byType = (type: string, value: string): string =>
  `CASE ${type} WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' WHEN 'object' THEN x'02' WHEN 'array' THEN x'02' ELSE ${value} END`;

/** Returns a JSON path as an SQL literal. Names contain no quotes (values.ts). */
export const jsonPath = (field: string): string =>
  `'$${pathOf(field)
    .map((name) => `."${name}"`)
    .join('')}'`;

/**
 * Returns SQL for the value of a field. SQLite uses an index only if a query contains the same text as the index, so
 * only this function writes this expression.
 */
export const valueSql = (field: string): string =>
  field === 'id' ? 'id' : byType(`json_type(document, ${jsonPath(field)})`, `document ->> ${jsonPath(field)}`);

/** Returns SQL that converts a scalar value to JSON. Booleans are blobs, which SQLite would otherwise read as JSONB. */
export const scalarJson = (value: string): string =>
  `CASE typeof(${value}) WHEN 'blob' THEN json(CASE ${value} WHEN x'01' THEN 'true' ELSE 'false' END) ELSE ${value} END`;

/** Returns SQL for the value of a row of `json_each`. */
export const elementSql = (row: string): string => byType(`${row}.type`, `${row}.atom`);

/**
 * Defines the SQL function `text_matches(value, sought, 'anywhere' | 'start')` on a connection, for `$contains` and
 * `$prefix`.
 */
export const defineTextMatches = (connection: Connection): void => {
  const tests = new LRUCache<string, (text: string) => boolean>({ max: 100 });
  connection.function('text_matches', { deterministic: true }, (value: unknown, sought: unknown, where: unknown) => {
    if (typeof value !== 'string') return 0;
    const key = `${where as string} ${sought as string}`;
    let test = tests.get(key);
    if (!test) {
      test = textTest(sought as string, where as 'anywhere' | 'start');
      tests.set(key, test);
    }
    return test(value) ? 1 : 0;
  });
};
