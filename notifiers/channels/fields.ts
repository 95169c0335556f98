import { Type, type TUnsafe } from '@sinclair/typebox';
import { maskedWebhook } from '../../domain/alert-channel/shown.ts';
import { nothingMasked, type Say } from '../../domain/alert-channel/problems.ts';
import { MASK } from '../../domain/check/mask.ts';
import { isMaskedEndpoint } from '../../domain/subscriber/masked.ts';
import type { SealedField } from './channel-type.ts';

/** Says of a text that nobody is shown. */
export const MASKED = `${MASK} in answers; sent back like that, it stays`;

/** A text or null in answers. */
export const nullableText = (options: { description?: string; examples?: string[] } = {}): TUnsafe<string | null> =>
  Type.Unsafe({ ...options, type: ['string', 'null'] });

/** One of a set of texts in answers. */
export const oneOf = <const T extends string>(values: readonly T[]): TUnsafe<T> =>
  Type.Unsafe({ type: 'string', enum: [...values] });

/** A token, which nobody is shown. */
export const SECRET: SealedField = { shown: () => MASK, recognizable: false };
/** Whole for those who may change it. */
export const FOR_EDITORS: SealedField = { shown: (text, reveal) => (reveal ? text : MASK), recognizable: false };
/** A URL that may hold secrets: whole for those who may change it, its origin for others. */
export const URL_FOR_EDITORS: SealedField = {
  shown: (url, reveal) => (reveal ? url : maskedWebhook(url)),
  recognizable: true,
};
/** A URL that is itself a secret: its origin. */
export const SECRET_URL: SealedField = { shown: maskedWebhook, recognizable: true };

/** What was entered for one host is not sent to another without somebody who knows it. */
export const OTHER_HOST = 'Must be sent anew: the URL leads to another host than before.';

/** A text that may be sent masked. */
export const textIn = (value: unknown, known: unknown, field: string, say: Say): string => {
  if (value === undefined) say(field, 'Missing required field.');
  else if (typeof value !== 'string') say(field, 'Must be a string.');
  else if (value !== MASK) return value;
  else if (typeof known === 'string') return known;
  else say(field, nothingMasked(MASK));
  return '';
};

/** A URL that comes back as it is shown stands for the stored one. */
export const urlIn = (value: unknown, known: unknown, field: string, say: Say): string => {
  if (typeof value !== 'string' || !(value === MASK || isMaskedEndpoint(value)))
    return textIn(value, known, field, say);
  if (typeof known === 'string' && (value === MASK || value === maskedWebhook(known))) return known;
  say(field, nothingMasked(value));
  return '';
};

/** Whether a text can be a token in a path or a header: visible ASCII characters. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,512}$/.test(value);
