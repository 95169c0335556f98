import type { FieldCondition, Scalar, Where } from './port.ts';
import { compareScalars, pathOf, wellFormed } from './values.ts';

export interface Bound {
  value: Exclude<Scalar, null>;
  inclusive: boolean;
}

/** A parsed and validated `where`, which adapters translate. An empty `and` is true, an empty `or` false. */
export type Condition =
  | { kind: 'and' | 'or'; conditions: readonly Condition[] }
  /**
   * the value of the field is in `values`; if the value is an array, at least one of its elements is; `not_in` is the
   * opposite
   */
  | { kind: 'in' | 'not_in'; field: string; values: readonly Scalar[] }
  /** matches only values of the same type as the bounds */
  | { kind: 'range'; field: string; lower: Bound | null; upper: Bound | null }
  | { kind: 'text'; field: string; sought: string; where: 'anywhere' | 'start' };

const NEVER: Condition = { kind: 'or', conditions: [] };

/** @throws TypeError an unknown operator, an invalid field name, or an operand that is not a scalar */
export const parseCondition = (where: Where): Condition => {
  const conditions: Condition[] = [];
  for (const [key, value] of Object.entries(where)) {
    if (value === undefined) continue;
    if (key === '$and' || key === '$or') {
      if (!Array.isArray(value)) throw new TypeError(`${key} takes an array of conditions.`);
      conditions.push({
        kind: key === '$and' ? 'and' : 'or',
        conditions: (value as readonly Where[]).map(parseCondition),
      });
    } else {
      pathOf(key);
      conditions.push(...fieldConditions(key, value as Scalar | FieldCondition));
    }
  }
  const [only] = conditions;
  return only && conditions.length === 1 ? only : { kind: 'and', conditions };
};

const fieldConditions = (field: string, given: Scalar | FieldCondition): Condition[] => {
  if (typeof given !== 'object' || given === null) return [{ kind: 'in', field, values: [scalar(field, given)] }];
  const conditions: Condition[] = [];
  const lower: Bound[] = [];
  const upper: Bound[] = [];
  const bound = (bounds: Bound[], value: Scalar, inclusive: boolean) => {
    if (value !== null) bounds.push({ value, inclusive });
    else conditions.push(inclusive ? { kind: 'in', field, values: [null] } : NEVER);
  };
  const operators = Object.entries(given) as [keyof FieldCondition, unknown][];
  if (operators.length === 0 || Array.isArray(given)) throw new TypeError(`The condition on ${field} has no operator.`);
  for (const [operator, operand] of operators) {
    switch (operator) {
      case '$eq':
        conditions.push({ kind: 'in', field, values: [scalar(field, operand)] });
        break;
      case '$ne':
        conditions.push({ kind: 'not_in', field, values: [scalar(field, operand)] });
        break;
      case '$in':
        conditions.push({ kind: 'in', field, values: scalars(field, operand) });
        break;
      case '$nin':
        conditions.push({ kind: 'not_in', field, values: scalars(field, operand) });
        break;
      case '$gt':
      case '$gte':
        bound(lower, scalar(field, operand), operator === '$gte');
        break;
      case '$lt':
      case '$lte':
        bound(upper, scalar(field, operand), operator === '$lte');
        break;
      case '$contains':
      case '$prefix':
        if (typeof operand !== 'string') throw new TypeError(`${operator} of ${field} takes a string.`);
        conditions.push({
          kind: 'text',
          field,
          sought: wellFormed(operand),
          where: operator === '$prefix' ? 'start' : 'anywhere',
        });
        break;
      default:
        throw new TypeError(`The read store has no operator ${String(operator satisfies never)}.`);
    }
  }
  if (lower.length > 0 || upper.length > 0) conditions.push(range(field, lower, upper));
  return conditions;
};

/** Combines all bounds on a field into one range, so that a store can evaluate them with one index scan. */
const range = (field: string, lower: Bound[], upper: Bound[]): Condition => {
  const [first] = [...lower, ...upper];
  if ([...lower, ...upper].some(({ value }) => typeof value !== typeof first?.value)) return NEVER;
  const tightest = (bounds: Bound[], direction: 1 | -1): Bound | null =>
    bounds.toSorted(
      (a, b) => direction * compareScalars(b.value, a.value) || Number(a.inclusive) - Number(b.inclusive),
    )[0] ?? null;
  return { kind: 'range', field, lower: tightest(lower, 1), upper: tightest(upper, -1) };
};

const scalars = (field: string, operand: unknown): Scalar[] => {
  if (!Array.isArray(operand)) throw new TypeError(`$in and $nin of ${field} take an array.`);
  return operand.map((value) => scalar(field, value));
};

const scalar = (field: string, value: unknown): Scalar => {
  if (typeof value === 'string') return wellFormed(value);
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value as Scalar;
  throw new TypeError(`The condition on ${field} compares with something that is not a scalar.`);
};
