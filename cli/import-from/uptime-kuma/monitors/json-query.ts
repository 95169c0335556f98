import { jsonPathOf } from '../../../../domain/check/types/json-path.ts';
import type { Fields } from '../../../configuration/model.ts';
import { text, type Row } from '../../rows.ts';

const MAX_VALUE = 900;

/**
 * Converts a JSONata expression that is only a path (`$.a.b[0]`, `` `a b`.c ``) to a JSONPath. Returns null for any
 * other expression.
 */
export const jsonPathOfJsonata = (expression: string): string | null => {
  const source = expression.trim();
  if (source === '$' || source === '') return '$';
  const step = /(?:([A-Za-z_]\w*)|`([^`]+)`)((?:\[\s*-?\d+\s*\])*)(\.|$)/y;
  const start = /^\$?((?:\[\s*-?\d+\s*\])*)\.?/.exec(source);
  let path = `$${source.startsWith('$') || source.startsWith('[') ? (start?.[1] ?? '').replace(/\s/g, '') : ''}`;
  step.lastIndex = source.startsWith('$') || source.startsWith('[') ? (start?.[0].length ?? 0) : 0;
  while (step.lastIndex < source.length) {
    const found = step.exec(source);
    if (!found) return null;
    const [, plain, quoted, indexes = '', dot] = found;
    path += plain === undefined ? `[${JSON.stringify(quoted)}]` : `.${plain}`;
    path += indexes.replace(/\s/g, '');
    // A path does not end in a dot.
    if (dot === '.' && step.lastIndex === source.length) return null;
  }
  return path;
};

/** Whether JSON could contain the text as a number, a boolean or null instead of as a text. */
const isAmbiguous = (value: string): boolean =>
  /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(value);

/**
 * Maps the condition of a `json-query` monitor to a JSON assertion. Uptime Kuma compares texts: `1` equals both the
 * number 1 and the text "1". A filter from the root expresses this: the root has a member if, and only if, it is true.
 *
 * @returns null if no assertion means the same
 */
export const jsonAssertionOf = (row: Row): Fields | null => {
  const path = jsonPathOfJsonata(text(row, 'json_path'));
  const expected = text(row, 'expected_value');
  if (path === null || path === '$' || expected.length > MAX_VALUE) return null;
  const assertion = comparison(path, text(row, 'json_path_operator').trim() || '==', expected);
  return assertion !== null && jsonPathOf(assertion['path'] as string) !== null ? assertion : null;
};

const comparison = (path: string, operator: string, expected: string): Fields | null => {
  const quoted = JSON.stringify(expected);
  const isNumber = expected.trim() !== '' && Number.isFinite(Number(expected));
  switch (operator) {
    case '==':
      return isAmbiguous(expected)
        ? { path: `$[?${path} == ${expected} || ${path} == ${quoted}]`, operator: 'exists' }
        : { path, operator: 'equals', value: expected };
    case '!=':
      return isAmbiguous(expected)
        ? { path: `$[?${path} != ${expected} && ${path} != ${quoted}]`, operator: 'exists' }
        : { path, operator: 'not_equals', value: expected };
    case 'contains':
      return { path, operator: 'contains', value: expected };
    case '>':
      return isNumber ? { path, operator: 'greater_than', value: Number(expected) } : null;
    case '<':
      return isNumber ? { path, operator: 'less_than', value: Number(expected) } : null;
    case '>=':
    case '<=':
      return isNumber ? { path: `$[?${path} ${operator} ${Number(expected)}]`, operator: 'exists' } : null;
    default:
      return null;
  }
};
