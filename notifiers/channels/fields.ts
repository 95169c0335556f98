import { Type, type TUnsafe } from '@sinclair/typebox';
import { maskedWebhook } from '../../domain/alert-channel/masked-webhook.ts';
import { noStoredText, type ProblemReporter } from '../../domain/alert-channel/problems.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import { isMaskedEndpoint } from '../../domain/subscriber/masking.ts';
import type { SealedField } from './channel-type.ts';

/** Description of a text that is never shown. */
export const MASKED_DESCRIPTION = `${MASKED_TEXT} in responses; sending it back keeps the stored value`;

/** A schema for a text or null in responses. */
export const nullableText = (options: { description?: string; examples?: string[] } = {}): TUnsafe<string | null> =>
  Type.Unsafe({ ...options, type: ['string', 'null'] });

/** A schema for one of several texts in responses. */
export const oneOf = <const T extends string>(values: readonly T[]): TUnsafe<T> =>
  Type.Unsafe({ type: 'string', enum: [...values] });

/** A token, which is never shown. */
export const SECRET: SealedField = { format: () => MASKED_TEXT, recognizable: false };
/** Visible to those who may change it, masked for others. */
export const FOR_EDITORS: SealedField = {
  format: (text, reveal) => (reveal ? text : MASKED_TEXT),
  recognizable: false,
};
/** A URL that may contain secrets: whole for those who may change it, its origin for others. */
export const URL_FOR_EDITORS: SealedField = {
  format: (url, reveal) => (reveal ? url : maskedWebhook(url)),
  recognizable: true,
};
/** A URL that is itself a secret: only its origin is visible. */
export const SECRET_URL: SealedField = { format: maskedWebhook, recognizable: true };

/** A secret entered for one host is not sent to another unless its owner enters it again. */
export const OTHER_HOST = 'Must be sent again: the URL leads to a different host.';

/** Reads a text; a masked one means the stored text. */
export const readText = (value: unknown, known: unknown, field: string, say: ProblemReporter): string => {
  if (value === undefined) say(field, 'Missing required field.');
  else if (typeof value !== 'string') say(field, 'Must be a string.');
  else if (value !== MASKED_TEXT) return value;
  else if (typeof known === 'string') return known;
  else say(field, noStoredText(MASKED_TEXT));
  return '';
};

/** Reads a URL; a masked one means the stored URL. */
export const readUrl = (value: unknown, known: unknown, field: string, say: ProblemReporter): string => {
  if (typeof value !== 'string' || !(value === MASKED_TEXT || isMaskedEndpoint(value)))
    return readText(value, known, field, say);
  if (typeof known === 'string' && (value === MASKED_TEXT || value === maskedWebhook(known))) return known;
  say(field, noStoredText(value));
  return '';
};

/** Whether a text can be a token in a path or a header: visible ASCII characters. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,512}$/.test(value);
