import type { Filter } from 'mongodb';
import { foldedPattern } from '../../mongodb/patterns.ts';
import { parseCondition, type Condition } from '../conditions.ts';
import { totalOrder } from '../indexes.ts';
import type { IndexDeclaration, Query, Where } from '../port.ts';
import { pathOf } from '../values.ts';
import type { StoredDocument } from './stored-document.ts';

type DocumentFilter = Filter<StoredDocument>;

const NONE: DocumentFilter = { _id: { $in: [] } };

/** Converts a condition to a filter that also excludes tombstones. */
export const filterOf = (where: Where): DocumentFilter => {
  const condition = parseCondition(where);
  const filter = translate(condition);
  if (impliesDocument(condition)) return filter;
  return { $and: [{ document: { $exists: true } }, filter] };
};

/** Returns the fields of an index or a sort, followed by the tie-break. */
export const sortOf = (fields: IndexDeclaration | NonNullable<Query['sort']>): [string, 1 | -1][] =>
  totalOrder(fields).map(([field, direction]) => [fieldPath(field), direction]);

/** Returns a filter for documents whose string in `field` is below `before`. */
export const expiredFilter = (field: string, before: string): DocumentFilter => ({
  [fieldPath(field)]: { $gte: '', $lt: before },
});

/** Returns the path of a field in a stored document. */
export const fieldPath = (field: string): string => (field === 'id' ? '_id' : `document.${pathOf(field).join('.')}`);

const translate = (condition: Condition): DocumentFilter => {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.length === 0 ? {} : { $and: condition.conditions.map(translate) };
    case 'or':
      return condition.conditions.length === 0 ? NONE : { $or: condition.conditions.map(translate) };
    case 'in': {
      const { field, values } = condition;
      if (values.length === 0) return NONE;
      return on(field, values.length === 1 ? { $eq: values[0] } : { $in: values });
    }
    case 'not_in': {
      const { field, values } = condition;
      if (values.length === 0) return {};
      return on(field, values.length === 1 ? { $ne: values[0] } : { $nin: values });
    }
    case 'range': {
      const { field, lower, upper } = condition;
      return on(field, {
        ...(lower && { [lower.inclusive ? '$gte' : '$gt']: lower.value }),
        ...(upper && { [upper.inclusive ? '$lte' : '$lt']: upper.value }),
      });
    }
    case 'text': {
      const { field, sought, where } = condition;
      // Every string is at least the empty string, so this condition matches all strings and nothing else.
      const isString = on(field, { $gte: '' });
      if (sought === '') return isString;
      const pattern = `${where === 'start' ? '^' : ''}${foldedPattern(sought)}`;
      // The two conditions are separate, because mongo-java-server ignores other operators beside `$regex`.
      return { $and: [isString, on(field, { $regex: pattern })] };
    }
  }
};

const on = (field: string, operators: object): DocumentFilter => ({ [fieldPath(field)]: operators });

/**
 * Returns whether a condition never matches a tombstone. If so, no further condition is needed, and an index alone can
 * serve the query.
 */
const impliesDocument = (condition: Condition): boolean => {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.some(impliesDocument);
    case 'or':
      return condition.conditions.every(impliesDocument);
    case 'in':
      return condition.values.length === 0 || (condition.field !== 'id' && !condition.values.includes(null));
    case 'not_in':
      return condition.field !== 'id' && condition.values.includes(null);
    case 'range':
    case 'text':
      return condition.field !== 'id';
  }
};
