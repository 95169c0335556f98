import type { ObjectKind } from '../../api/configuration/entries.ts';
import { sealedPositions } from '../../domain/check/sealing.ts';
import { isCheckType } from '../../domain/check/types/index.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import { channelTypeOf } from '../../notifiers/channels/index.ts';
import { KEPT } from '../configuration/placeholders.ts';

/** A text that may be secret: its path in the fields, and how the service may show it. */
export interface SecretText {
  path: readonly string[];
  text: string;
  /** the forms in which the service shows the text to its readers; the first one is for editors */
  shownAs: readonly string[];
}

/**
 * Returns the texts of an object that viewers must not see: values of secrets, texts of checks and settings of channels
 * that the API masks for viewers. Recipients of e-mail are shown in files, although they are masked for viewers.
 */
export const secretTexts = (kind: ObjectKind, fields: Fields): SecretText[] => {
  switch (kind) {
    case 'secrets':
      return textsAt(fields, ['value'], () => []);
    case 'checks':
      return textsOfCheck(fields);
    case 'channels':
      return textsOfChannel(fields);
    default:
      return [];
  }
};

const textsOfCheck = ({ type, parameters }: Fields): SecretText[] => {
  if (!isFields(parameters)) return [];
  const known = typeof type === 'string' && isCheckType(type) ? type : null;
  return sealedPositions(parameters, known)
    .filter(({ secret }) => secret)
    .flatMap(({ path }) => textsAt({ parameters }, ['parameters', ...path], (text) => [text, MASKED_TEXT]));
};

const RECIPIENTS = 'recipients';

const textsOfChannel = ({ type, configuration }: Fields): SecretText[] => {
  const sealed = typeof type === 'string' ? channelTypeOf(type)?.sealed : undefined;
  if (!isFields(configuration) || !sealed) return [];
  return Object.entries(sealed)
    .filter(([field]) => field !== RECIPIENTS)
    .flatMap(([field, { format }]) =>
      textsAt({ configuration }, ['configuration', field], (text) => [format(text, true), format(text, false)]),
    );
};

/** Returns the text at a path, or all texts in the object or list at this path. */
const textsAt = (
  value: unknown,
  [name, ...rest]: readonly string[],
  shownAs: (text: string) => string[],
  before: readonly string[] = [],
): SecretText[] => {
  if (name !== undefined) {
    const child = isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    return textsAt(child, rest, shownAs, [...before, name]);
  }
  if (typeof value === 'string') return [{ path: before, text: value, shownAs: shownAs(value) }];
  if (!isFields(value)) return [];
  return Object.keys(value).flatMap((one) => textsAt(value, [one], shownAs, before));
};

/** Returns the value at a path of fields; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (isFields(part) && Object.hasOwn(part, name) ? part[name] : undefined), value);

/** Returns a copy of fields with another value at a path that exists. */
export const withValueAt = (fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields => ({
  ...fields,
  [name]: rest.length === 0 ? value : withValueAt(fields[name] as Fields, rest, value),
});

/** Returns a copy of fields in which `${kept}` replaces all secret texts. */
export const withoutSecrets = (kind: ObjectKind, fields: Fields): Fields =>
  secretTexts(kind, fields).reduce((copy, { path }) => withValueAt(copy, path, KEPT), fields);

/** Returns the paths of all texts `${kept}` in a value. */
export const keptPaths = (value: unknown, path: readonly string[] = []): string[][] => {
  if (value === KEPT) return [[...path]];
  return isFields(value) ? Object.entries(value).flatMap(([name, one]) => keptPaths(one, [...path, name])) : [];
};
