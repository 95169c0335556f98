import { parseCondition, type Condition } from '../conditions.ts';
import { totalOrder } from '../indexes.ts';
import { pageBoundsOf } from '../matches.ts';
import { compareText, topLevelName } from '../values.ts';
import type { Query, Scalar, Where } from '../port.ts';
import { elementSql, jsonPath, parameterOf, scalarJson, TYPE_BOUNDS, valueSql, type Parameter } from './expressions.ts';

export interface Sql {
  text: string;
  parameters: Parameter[];
}

/** A collection, as SQL statements refer to it. */
export interface Table {
  /** quoted name of the table */
  name: string;
  /** fields that an index covers; they contain only scalars */
  indexed: ReadonlySet<string>;
}

/** Returns a statement that selects the documents of a query, or the requested fields, as JSON texts. */
export const findSql = (table: Table, query: Query): Sql =>
  selectSql(query.fields ? fieldsSql(table, query.fields) : 'document', table, query);

const selectSql = (selected: string, table: Table, query: Query): Sql => {
  const { skip, limit } = pageBoundsOf(query);
  const where = conditionSql(parseCondition(query.where ?? {}), table);
  const order = totalOrder(query.sort ?? {}).map(
    ([field, direction]) => `${valueSql(field)} ${direction === 1 ? 'ASC' : 'DESC'}`,
  );
  return {
    text: `SELECT ${selected} FROM ${table.name} WHERE ${where.text} ORDER BY ${order.join(', ')} LIMIT ? OFFSET ?`,
    parameters: [...where.parameters, limit ?? -1, skip],
  };
};

/** Returns a statement that selects the same columns as `findSql` for the document with a given id. */
export const oneSql = (table: Table, fields: Query['fields']): string =>
  `SELECT ${fields ? fieldsSql(table, fields) : 'document'} FROM ${table.name} WHERE id = ?`;

/**
 * Returns a statement that selects the ids of the documents that match a query, in the order of the query, and the size
 * of each document. SQLite determines the size without reading the document.
 */
export const idsSql = (table: Table, query: Omit<Query, 'fields'>): Sql =>
  selectSql('id, octet_length(document)', table, query);

/**
 * Returns the ids of a query whose only condition is a list of ids, in the order of the query; null for any other
 * query.
 */
export const explicitIds = ({ where, sort = {}, skip = 0, limit }: Query): string[] | null => {
  if (skip !== 0 || limit !== undefined || Object.keys(sort).length > 0) return null;
  const condition = parseCondition(where ?? {});
  if (condition.kind !== 'in' || condition.field !== 'id') return null;
  const ids = condition.values.filter((value) => typeof value === 'string');
  return [...new Set(ids)].sort(compareText);
};

const fieldsSql = (table: Table, fields: readonly string[]): string =>
  `json_object(${fields.map((field) => `'${topLevelName(field)}', ${shownSql(table, field)}`).join(', ')})`;

/**
 * Returns SQL for a field as JSON. For a field that an index covers, uses the expression of the index, so that SQLite
 * reads the value from the index.
 */
const shownSql = ({ indexed }: Table, field: string): string =>
  field === 'id' ? 'id' : indexed.has(field) ? scalarJson(valueSql(field)) : `document -> ${jsonPath(field)}`;

export const countSql = (table: Table, where: Where): Sql => {
  const { text, parameters } = conditionSql(parseCondition(where), table);
  return { text: `SELECT count(*) FROM ${table.name} WHERE ${text}`, parameters };
};

/**
 * Returns a statement that removes the documents whose text in `field` is below the first parameter, oldest first. The
 * second parameter is the maximum number of documents.
 */
export const sweepSql = (table: Table, field: string): string => {
  const value = valueSql(field);
  const { from } = TYPE_BOUNDS.string;
  return `DELETE FROM ${table.name} WHERE id IN (SELECT id FROM ${table.name} WHERE ${value} >= ${from} AND ${value} < ? ORDER BY ${value}, id LIMIT ?)`;
};

const sql = (text: string, ...parameters: Parameter[]): Sql => ({ text, parameters });

const join = (parts: readonly Sql[], operator: 'AND' | 'OR', empty: '0' | '1'): Sql => {
  const [only] = parts;
  if (!only) return sql(empty);
  if (parts.length === 1) return only;
  return sql(
    `(${parts.map(({ text }) => text).join(` ${operator} `)})`,
    ...parts.flatMap(({ parameters }) => parameters),
  );
};

/**
 * Converts a condition to SQL that is true if the condition is met, and otherwise false or NULL. Conditions are joined
 * only by AND and OR, so false and NULL have the same effect.
 */
const conditionSql = (condition: Condition, table: Table): Sql => {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => conditionSql(part, table));
      return condition.kind === 'and' ? join(parts, 'AND', '1') : join(parts, 'OR', '0');
    }
    case 'in':
    case 'not_in': {
      const { field, values } = condition;
      const wanted = condition.kind === 'in';
      const ofValue = membership(valueSql(field), values, wanted);
      if (field === 'id' || table.indexed.has(field)) return ofValue;
      const path = jsonPath(field);
      const ofElement = membership(elementSql('element'), values, true);
      const some = `EXISTS (SELECT 1 FROM json_each(document, ${path}) AS element WHERE ${ofElement.text})`;
      return sql(
        `CASE json_type(document, ${path}) WHEN 'array' THEN ${wanted ? some : `NOT ${some}`} ELSE ${ofValue.text} END`,
        ...ofElement.parameters,
        ...ofValue.parameters,
      );
    }
    case 'range': {
      const value = valueSql(condition.field);
      const { lower, upper } = condition;
      const type = TYPE_BOUNDS[typeof (lower ?? upper)?.value as keyof typeof TYPE_BOUNDS];
      const parts: Sql[] = [];
      if (lower) parts.push(sql(`${value} ${lower.inclusive ? '>=' : '>'} ?`, parameterOf(lower.value)));
      else if (type.from !== null) parts.push(sql(`${value} >= ${type.from}`));
      // The end of the type is used as the upper bound only if the condition has no upper bound. With two upper bounds,
      // SQLite might use the wider one for the index scan.
      if (upper) parts.push(sql(`${value} ${upper.inclusive ? '<=' : '<'} ?`, parameterOf(upper.value)));
      else parts.push(sql(`${value} < ${type.below}`));
      return join(parts, 'AND', '1');
    }
    case 'text':
      return sql(`text_matches(${valueSql(condition.field)}, ?, '${condition.where}')`, condition.sought);
  }
};

const membership = (value: string, values: readonly Scalar[], wanted: boolean): Sql => {
  const present = [...new Set(values)].filter((candidate) => candidate !== null);
  const nullNamed = present.length < new Set(values).size;
  const [only] = present;
  const parts: Sql[] = [];
  if (only !== undefined && present.length === 1) {
    parts.push(sql(`${value} ${wanted ? '=' : '<>'} ?`, parameterOf(only)));
  } else if (present.length > 1) {
    // All values are in one parameter, so that the statement is the same for any number of values and can be cached.
    const list = `(SELECT ${elementSql('listed')} FROM json_each(?) AS listed)`;
    parts.push(sql(`${value} ${wanted ? 'IN' : 'NOT IN'} ${list}`, JSON.stringify(present)));
  }
  if (wanted) {
    if (nullNamed) parts.push(sql(`${value} IS NULL`));
    return join(parts, 'OR', '0');
  }
  if (nullNamed) parts.push(sql(`${value} IS NOT NULL`));
  else if (parts.length > 0) return join([...parts, sql(`${value} IS NULL`)], 'OR', '1');
  return join(parts, 'AND', '1');
};
