import { jsonPathOf } from '../../../domain/check/types/json-path.ts';
import type { JsonAssertion } from '../../../domain/check/types/assertions.ts';
import { containedText, numberOf, truthOf, type Condition, type Operand } from './conditions.ts';

/** An assertion for a condition. `weaker`: the assertion also holds in cases in which the condition does not. */
export interface Converted {
  assertion: JsonAssertion;
  weaker: boolean;
}

const nameSelector = (name: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? `.${name}` : `['${name.replace(/['\\]/g, '\\$&')}']`;

/** Converts a path such as `data[0].id` to a JSONPath. */
export const jsonPathFrom = (path: string): string => {
  const names = path.match(/\[(?:\d+|\*)\]|(?:(?!\[(?:\d+|\*)\])[^.])+/g) ?? [];
  return `$${names.map((name) => (/^\[(?:\d+|\*)\]$/.test(name) ? name : nameSelector(name))).join('')}`;
};

/** Converts a text of a condition to the JSON value that it most likely stands for. */
const jsonValue = (text: string): string | number | boolean | null => {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text;
};

/** Formats a value as a literal of a JSONPath filter. */
const literal = (text: string): string[] => {
  const quoted = `'${text.replace(/['\\]/g, '\\$&')}'`;
  const value = jsonValue(text);
  return typeof value === 'string' ? [quoted] : [String(value), quoted];
};

const oneOfFilter = (path: string, { texts }: Operand & { kind: 'any' }, operator: '==' | '!='): string =>
  texts
    .flatMap(literal)
    .map((value) => `${path} ${operator} ${value}`)
    .join(operator === '==' ? ' || ' : ' && ');

/** A filter on the elements of the body. Its comparisons refer to the whole body, so it selects all elements or none. */
const filtered = (expression: string): JsonAssertion => ({ path: `$[?${expression}]`, operator: 'exists' });

const byLength = (path: string, { operator, operand }: Condition): JsonAssertion | null => {
  const length = operand.kind === 'text' ? numberOf(operand.text) : null;
  if (length === null) return null;
  // A filter never selects an element of an empty body.
  if (path === '$' && ((operator === '==' && length === 0) || (operator === '<' && length === 1)))
    return { path: '$[*]', operator: 'not_exists' };
  return filtered(`length(${path}) ${operator} ${length}`);
};

const byValue = (path: string, { operator, operand }: Condition): JsonAssertion | null => {
  if (operand.kind === 'any')
    return operator === '==' || operator === '!=' ? filtered(oneOfFilter(path, operand, operator)) : null;
  if (operator === '==') return { path, operator: 'equals', value: jsonValue(operand.text) };
  if (operator === '!=') return { path, operator: 'not_equals', value: jsonValue(operand.text) };
  const value = numberOf(operand.text);
  if (value === null) return null;
  if (operator === '>' || operator === '<')
    return { path, operator: operator === '>' ? 'greater_than' : 'less_than', value };
  return filtered(`${path} ${operator} ${value}`);
};

const converted = (condition: Condition): Converted | null => {
  const path = jsonPathFrom(condition.path);
  const exactly = (assertion: JsonAssertion | null): Converted | null => assertion && { assertion, weaker: false };
  const { call, operand, operator } = condition;
  if (call === 'len') return exactly(byLength(path, condition));
  if (call === 'has') {
    const isThere = truthOf(condition);
    return isThere === null ? null : exactly({ path, operator: isThere ? 'exists' : 'not_exists' });
  }
  if (call !== null) return null;
  if (operand.kind !== 'pattern') return exactly(byValue(path, condition));
  if (operator !== '==') return null;
  const { text, exact } = containedText(operand.text);
  const assertion: JsonAssertion =
    text === '' ? { path, operator: 'exists' } : { path, operator: 'contains', value: text };
  return { assertion, weaker: !exact };
};

/** Converts a condition on a path of the body; null if there is no equivalent. */
export const jsonAssertionOf = (condition: Condition): Converted | null => {
  const found = converted(condition);
  return found && jsonPathOf(found.assertion.path) !== null ? found : null;
};
