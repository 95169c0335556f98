import { Type, type TUnsafe } from '@sinclair/typebox';
import { maskedWebhook } from '../../domain/alert-channel/masked-webhook.ts';
import { noStoredText, type ProblemReporter } from '../../domain/alert-channel/problems.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import { isMaskedEndpoint } from '../../domain/subscriber/masking.ts';
import type { SealedField } from './channel-type.ts';

/** Description of a field whose text is never shown. */
export const MASKED_DESCRIPTION = `${MASKED_TEXT} in responses; sending it back keeps the stored value`;

/** Returns a schema for a field of responses that is a text or null. */
export const nullableText = (options: { description?: string; examples?: string[] } = {}): TUnsafe<string | null> =>
  Type.Unsafe({ ...options, type: ['string', 'null'] });

/** Returns a schema for a field of responses that is one of the given texts. */
export const oneOf = <const T extends string>(values: readonly T[]): TUnsafe<T> =>
  Type.Unsafe({ type: 'string', enum: [...values] });

/** A field with a token: masked for every reader. */
export const SECRET: SealedField = { format: () => MASKED_TEXT, recognizable: false };
/** A field that is shown to readers who may change it, and masked for others. */
export const FOR_EDITORS: SealedField = {
  format: (text, reveal) => (reveal ? text : MASKED_TEXT),
  recognizable: false,
};
/**
 * A field with a URL that may contain secrets. Readers who may change the field see the whole URL. Others see only its
 * origin.
 */
export const URL_FOR_EDITORS: SealedField = {
  format: (url, reveal) => (reveal ? url : maskedWebhook(url)),
  recognizable: true,
};
/** A field with a URL that is itself a secret: every reader sees only its origin. */
export const SECRET_URL: SealedField = { format: maskedWebhook, recognizable: true };

/**
 * Error message for a masked secret together with a URL of another host. A secret that was entered for one host must
 * not be sent to another host unless its owner enters it again.
 */
export const OTHER_HOST = 'Must be sent again: the URL leads to a different host.';

/**
 * Reads a text from a request. A masked text stands for the stored text.
 *
 * @param known the stored text
 */
export const readText = (value: unknown, known: unknown, field: string, say: ProblemReporter): string => {
  if (value === undefined) say(field, 'Missing required field.');
  else if (typeof value !== 'string') say(field, 'Must be a string.');
  else if (value !== MASKED_TEXT) return value;
  else if (typeof known === 'string') return known;
  else say(field, noStoredText(MASKED_TEXT));
  return '';
};

/**
 * Reads a URL from a request. A masked URL stands for the stored URL.
 *
 * @param known the stored URL
 */
export const readUrl = (value: unknown, known: unknown, field: string, say: ProblemReporter): string => {
  if (typeof value !== 'string' || !(value === MASKED_TEXT || isMaskedEndpoint(value)))
    return readText(value, known, field, say);
  if (typeof known === 'string' && (value === MASKED_TEXT || value === maskedWebhook(known))) return known;
  say(field, noStoredText(value));
  return '';
};

/** Returns whether a value can be a token in a path or a header: visible ASCII characters only. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,512}$/.test(value);
