import type { FieldSpec, Kind } from './fields.ts';
import { isObject, isSameJson, textIn, valueAt, without, withValueAt, type JsonObject } from './paths.ts';

/*
 * What fields of the form hold, and how a check stores it. What was not changed in the form stays exactly as it was
 * stored, whatever that is.
 */

export interface Pair {
  name: string;
  value: string;
}

/** What must hold in the JSON of an answer. */
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

/** Operators that compare with nothing. */
export const isUnary = (operator: JsonOperator): boolean => operator === 'exists' || operator === 'not_exists';

/** What a header of an answer must be. */
export interface HeaderLine {
  name: string;
  operator: HeaderOperator;
  value: string;
}

export const HEADER_OPERATORS = ['equals', 'contains', 'absent'] as const;
export type HeaderOperator = (typeof HEADER_OPERATORS)[number];

/** What a field holds, by its kind. */
export type FieldValue =
  string | boolean | number | null | readonly string[] | readonly Pair[] | readonly JsonLine[] | readonly HeaderLine[];

/** The JSON that a text stands for: `200`, `true`, `"200"`; anything else is a text as it is. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The shortest text that {@link jsonOf} reads as a value. */
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
      // `tls` is an object where it has details.
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

/** What is stored for what a field holds; undefined: nothing. */
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

/** A line of the form, with what its assertion had besides. */
const jsonLine = ({ path, operator, value }: JsonLine, before: unknown): JsonObject => {
  const others = isObject(before) && before['path'] === path ? without(before, 'value') : {};
  return { ...others, path, operator, ...(!isUnary(operator) && { value: jsonOf(value) }) };
};

const headerWanted = ({ operator, value }: HeaderLine): unknown =>
  operator === 'absent' ? null : operator === 'contains' ? { contains: value } : value;

/** What a field of the form holds for a check. */
export const readField = ({ path, as }: FieldSpec, check: unknown): FieldValue => read(as, valueAt(check, path));

/** A check with what a field holds; the same one where that is what it has already. */
export const writeField = <T>(field: FieldSpec, check: T, value: FieldValue): T => {
  const { path, as } = field;
  const before = valueAt(check, path);
  if (isSameJson(read(as, before), value)) return check;
  return withValueAt(check, path, stored(as, value, before)) as T;
};

/** Whether a field holds something else than a new check has. */
export const isSet = (field: FieldSpec, value: FieldValue): boolean => !isSameJson(read(field.as, undefined), value);
