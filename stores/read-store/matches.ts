import type { Bound, Condition } from './conditions.ts';
import { totalOrder } from './indexes.ts';
import type { Query, Scalar } from './port.ts';
import { compareScalars, pathOf, textTest, valueAt } from './values.ts';

export type DocumentTest = (document: object) => boolean;

/** Converts a condition to a predicate on documents. */
export const documentTestOf = (condition: Condition): DocumentTest => {
  switch (condition.kind) {
    case 'and': {
      const tests = condition.conditions.map(documentTestOf);
      return (document) => tests.every((test) => test(document));
    }
    case 'or': {
      const tests = condition.conditions.map(documentTestOf);
      return (document) => tests.some((test) => test(document));
    }
    case 'in':
    case 'not_in': {
      const path = pathOf(condition.field);
      const values = new Set<unknown>(condition.values);
      const wanted = condition.kind === 'in';
      return (document) => {
        const value = valueAt(document, path) ?? null;
        const found = Array.isArray(value) ? value.some((element) => values.has(element)) : values.has(value);
        return found === wanted;
      };
    }
    case 'range': {
      const path = pathOf(condition.field);
      const { lower, upper } = condition;
      return (document) => {
        const value = valueAt(document, path);
        return within(value, lower, 1) && within(value, upper, -1);
      };
    }
    case 'text': {
      const path = pathOf(condition.field);
      const test = textTest(condition.sought, condition.where);
      return (document) => {
        const value = valueAt(document, path);
        return typeof value === 'string' && test(value);
      };
    }
  }
};

const within = (value: unknown, bound: Bound | null, direction: 1 | -1): boolean => {
  if (!bound) return true;
  if (typeof value !== typeof bound.value) return false;
  const order = direction * compareScalars(value as Scalar, bound.value);
  return bound.inclusive ? order >= 0 : order > 0;
};

/**
 * Returns a comparison function for documents: by the fields of `sort`, then by `id` in the direction of the last
 * field.
 */
export const documentOrderOf = (sort: NonNullable<Query['sort']>) => {
  const fields = totalOrder(sort).map(([field, direction]) => ({ path: pathOf(field), direction }));
  return (a: object, b: object): number => {
    for (const { path, direction } of fields) {
      const order = compareScalars(sortable(valueAt(a, path)), sortable(valueAt(b, path)));
      if (order !== 0) return direction * order;
    }
    return 0;
  };
};

const sortable = (value: unknown): Scalar => (typeof value === 'object' ? null : ((value ?? null) as Scalar));

/**
 * Returns skip and limit with defaults.
 *
 * @throws TypeError one of them is negative or not an integer
 */
export const pageBoundsOf = ({ skip = 0, limit }: Query): { skip: number; limit: number | null } => {
  for (const number of [skip, limit ?? 0]) {
    if (!Number.isSafeInteger(number) || number < 0) {
      throw new TypeError(`${String(number)} is not a valid number of documents.`);
    }
  }
  return { skip, limit: limit ?? null };
};
