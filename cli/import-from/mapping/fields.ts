import { OperatorError } from '../../../service/operator-error.ts';
import { isMapping, placeOf, type Mapping } from '../read-yaml.ts';
import { parseDuration } from './duration.ts';

const fail = (container: object, key: string | number, sentence: string): never => {
  throw new OperatorError(`${placeOf(container, key)}: ${String(key)} ${sentence}`);
};

const isEmpty = (value: unknown): value is null | undefined => value === undefined || value === null;

/** Reads a text. Numbers and booleans are texts too. @throws OperatorError */
export const textIn = (mapping: Mapping, key: string): string | undefined => {
  const value = mapping[key];
  if (isEmpty(value)) return undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : fail(mapping, key, 'must be a text.');
};

/** Reads a text that must not be empty. @throws OperatorError */
export const requiredTextIn = (mapping: Mapping, key: string): string => {
  const text = textIn(mapping, key);
  return text === undefined || text.trim() === '' ? fail(mapping, key, 'is missing.') : text;
};

/** Fails because a value has the wrong form. The value of a variable is unknown, so it cannot have the right form. */
const failForm = (mapping: Mapping, key: string, text: string, sentence: string): never =>
  fail(mapping, key, text.includes('${env:') ? 'is a variable; write its value into the file.' : sentence);

const TRUE = ['true', 'yes', 'on', 'y'];
const FALSE = ['false', 'no', 'off', 'n'];

/** Reads a boolean. @throws OperatorError */
export const flagIn = (mapping: Mapping, key: string): boolean | undefined => {
  const word = textIn(mapping, key)?.toLowerCase();
  if (word === undefined) return undefined;
  if (TRUE.includes(word)) return true;
  return FALSE.includes(word) ? false : failForm(mapping, key, word, 'must be true or false.');
};

/** Reads a whole number. @throws OperatorError */
export const integerIn = (mapping: Mapping, key: string): number | undefined => {
  const text = textIn(mapping, key)?.trim();
  if (text === undefined) return undefined;
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : failForm(mapping, key, text, 'must be a whole number.');
};

/** Reads a duration such as `1m30s`, in seconds. @throws OperatorError */
export const durationIn = (mapping: Mapping, key: string): number | undefined => {
  const text = textIn(mapping, key)?.trim();
  if (text === undefined) return undefined;
  return parseDuration(text) ?? failForm(mapping, key, text, 'must be a duration such as 30s or 5m.');
};

/** Reads a mapping. @throws OperatorError */
export const mappingIn = (mapping: Mapping, key: string): Mapping | undefined => {
  const value = mapping[key];
  if (isEmpty(value)) return undefined;
  return isMapping(value) ? value : fail(mapping, key, 'must be a mapping.');
};

/** Reads a list; empty if it is absent. @throws OperatorError */
export const listIn = (mapping: Mapping, key: string): readonly unknown[] => {
  const value = mapping[key];
  if (isEmpty(value)) return [];
  return Array.isArray(value) ? value : fail(mapping, key, 'must be a list.');
};

/** Reads a list of mappings; empty if it is absent. @throws OperatorError */
export const mappingsIn = (mapping: Mapping, key: string): readonly Mapping[] => {
  const list = listIn(mapping, key);
  return list.map((item, index) => (isMapping(item) ? item : fail(list, index, `of ${key} must be a mapping.`)));
};

/** Reads a list of texts; empty if it is absent. @throws OperatorError */
export const textsIn = (mapping: Mapping, key: string): readonly string[] => {
  const list = listIn(mapping, key);
  return list.map((item, index) =>
    isEmpty(item) || typeof item === 'object'
      ? fail(list, index, `of ${key} must be a text.`)
      : String(item as string | number | boolean),
  );
};

/** Reads a mapping from names to texts; empty if it is absent. @throws OperatorError */
export const textsByNameIn = (mapping: Mapping, key: string): Record<string, string> => {
  const inner = mappingIn(mapping, key) ?? {};
  return Object.fromEntries(Object.keys(inner).map((name) => [name, textIn(inner, name) ?? '']));
};
