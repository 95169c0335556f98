import type { FieldSpec, Kind } from './fields.ts';
import { isObject, isSameJson, textIn, valueAt, without, withValueAt, type JsonObject } from './paths.ts';

/* Conversion between form values and stored parameters. Parameters that the user did not change in the form are
   saved exactly as they were stored. */

export interface Pair {
  name: string;
  value: string;
}

/** An assertion on the JSON of a response. */
export interface JsonLine {
  path: string;
  operator: JsonOperator;
  /** JSON, or a text without quotation marks */
  value: string;
}

export const JSON_OPERATORS = [
  'equals',
  'not_equals',
  'contains',
  'greater_than',
  'less_than',
  'exists',
  'not_exists',
] as const;
export type JsonOperator = (typeof JSON_OPERATORS)[number];

/** Returns whether an operator has no operand. */
export const isUnary = (operator: JsonOperator): boolean => operator === 'exists' || operator === 'not_exists';

/** An assertion on a header of a response. */
export interface HeaderLine {
  name: string;
  operator: HeaderOperator;
  value: string;
}

export const HEADER_OPERATORS = ['equals', 'contains', 'absent'] as const;
export type HeaderOperator = (typeof HEADER_OPERATORS)[number];

/** The value of a form field. Its type depends on the field's kind. */
export type FieldValue =
  string | boolean | number | null | readonly string[] | readonly Pair[] | readonly JsonLine[] | readonly HeaderLine[];

/** Parses a text as JSON: `200`, `true`, `"200"`. A text that is not valid JSON is returned as a string. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Returns the shortest text that {@link jsonOf} parses to a value. */
export const textOfJson = (value: unknown): string =>
  typeof value === 'string' && jsonOf(value) === value ? value : JSON.stringify(value);

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const linesOf = <T>(value: unknown, line: (value: JsonObject) => T): T[] =>
  Array.isArray(value) ? value.filter(isObject).map(line) : [];
const operatorOf = ({ operator, value }: JsonObject): JsonOperator =>
  JSON_OPERATORS.find((one) => one === operator) ?? (value === undefined ? 'exists' : 'equals');

const headerLineOf = ([name, wanted]: [string, unknown]): HeaderLine => {
  if (wanted === null) return { name, operator: 'absent', value: '' };
  return isObject(wanted)
    ? { name, operator: 'contains', value: textIn(wanted['contains']) }
    : { name, operator: 'equals', value: textIn(wanted) };
};

const read = (as: Kind, value: unknown): FieldValue => {
  switch (as.kind) {
    case 'text':
    case 'password':
    case 'area':
    case 'script':
      return typeof value === 'string' ? value : '';
    case 'number':
    case 'seconds':
      return typeof value === 'number' ? value : null;
    case 'tick':
      // A ticked checkbox may be stored as an object with further parameters, such as `tls`.
      return value === undefined ? as.default : isObject(value) || value === true;
    case 'choice':
      return typeof value === 'string' ? value : as.default;
    case 'list':
    case 'numbers':
    case 'codes':
      return texts(value);
    case 'lines':
      return texts(value).join('\n');
    case 'pairs':
      return isObject(value) ? Object.entries(value).map(([name, text]) => ({ name, value: String(text) })) : [];
    case 'json':
      return linesOf(value, (line) => ({
        path: textIn(line['path']),
        operator: operatorOf(line),
        value: line['value'] === undefined ? '' : textOfJson(line['value']),
      }));
    case 'headers':
      return isObject(value) ? Object.entries(value).map(headerLineOf) : [];
  }
};

/** Returns the stored value of a field, or undefined if there is none. */
const stored = (as: Kind, value: FieldValue, before: unknown): unknown => {
  switch (as.kind) {
    case 'text':
    case 'password':
    case 'area':
    case 'script':
      return value === '' ? undefined : value;
    case 'number':
    case 'seconds':
      return value ?? undefined;
    case 'tick':
      if (value === true && isObject(before)) return before;
      return value === as.default && before === undefined ? undefined : value;
    case 'choice':
      return value === '' ? undefined : value;
    case 'list':
      return filled(value as readonly string[]);
    case 'numbers':
    case 'codes':
      return filled((value as readonly string[]).map((text) => (/^\d+$/.test(text.trim()) ? Number(text) : text)));
    case 'lines':
      return filled(
        textIn(value)
          .split('\n')
          .filter((line) => line.trim() !== ''),
      );
    case 'pairs':
      return byName(value as readonly Pair[], (pair) => pair.value);
    case 'json':
      return filled((value as readonly JsonLine[]).map((line, index) => jsonLine(line, elements(before)[index])));
    case 'headers':
      return byName(value as readonly HeaderLine[], headerWanted);
  }
};

const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const filled = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

const byName = <T extends { name: string }>(lines: readonly T[], of: (line: T) => unknown): JsonObject | undefined => {
  const named = lines.filter(({ name }) => name.trim() !== '');
  return named.length === 0 ? undefined : Object.fromEntries(named.map((line) => [line.name.trim(), of(line)]));
};

/**
 * Converts a line of the form to a stored assertion. Keeps properties of the previous assertion that the form does not
 * know.
 */
const jsonLine = ({ path, operator, value }: JsonLine, before: unknown): JsonObject => {
  const others = isObject(before) && before['path'] === path ? without(before, 'value') : {};
  return { ...others, path, operator, ...(!isUnary(operator) && { value: jsonOf(value) }) };
};

const headerWanted = ({ operator, value }: HeaderLine): unknown =>
  operator === 'absent' ? null : operator === 'contains' ? { contains: value } : value;

/** Returns the form value of a check's field. */
export const readField = ({ path, as }: FieldSpec, check: unknown): FieldValue => read(as, valueAt(check, path));

/** Returns a copy of a check with the form value of a field. Returns the same object if nothing changes. */
export const writeField = <T>(field: FieldSpec, check: T, value: FieldValue): T => {
  const { path, as } = field;
  const before = valueAt(check, path);
  if (isSameJson(read(as, before), value)) return check;
  return withValueAt(check, path, stored(as, value, before)) as T;
};

/** Returns whether the value of a field differs from that of a new check. */
export const isSet = (field: FieldSpec, value: FieldValue): boolean => !isSameJson(read(field.as, undefined), value);
