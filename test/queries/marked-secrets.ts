import { isFields } from '../../domain/fields.ts';
import { isSealed } from '../../domain/sealed.ts';
import type { Keys } from '../../stores/keys/port.ts';

/**
 * Simulates decryption by adding the prefix `opened`, so encrypted texts that a query does not decrypt remain
 * recognizable.
 */
export const OPEN: Keys = { open: async ({ sealed }: { sealed: string }) => `opened ${sealed}` } as unknown as Keys;

/** Matches names of fields that contain a secret, or a hash with which a secret is compared. */
const SECRET = /password|secret|token|code|hash|preview_key|email_key|address_key|authorization|signature|private/i;

/**
 * Matches encrypted fields that the audit log shows, because they are not secrets: names of users, invoice details, and
 * parts of a check's request without credentials. The audit log masks addresses of subscribers, reports and channels.
 */
const SHOWN =
  /^(User\w+\.(changes\.|previous\.)?(email|first_name|last_name)|OrganizationUpdated\.(changes|previous)\.invoice_details\.\w+|(CheckCreated|CheckUpdated|JobQueued)\..*http_request\.(username|body|headers\.Accept))$/;

/** Matches fields that are not secrets although their names suggest it, such as references and texts for visitors. */
const HARMLESS =
  /status_codes?|error_code|accepted_codes|phone_country|expected_codes|_codes_|country_code|secret_id|secret_name|password_id|password_hint/;

/** Replaces every encrypted text and every secret of an event by a marker with the path of the field. */
export const marked = (value: unknown, place: string): unknown => {
  if (isSealed(value)) return { key: value.key, sealed: `MARK<${place}>` };
  if (Array.isArray(value)) return value.map((part) => marked(part, place));
  if (isFields(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, marked(part, `${place}.${name}`)]));
  }
  const name = place.replace(/^.*\./, '');
  return typeof value === 'string' && SECRET.test(name) && !HARMLESS.test(name) ? `MARK<${place}>` : value;
};

/** Returns the paths of the markers in a text that are neither masked nor in fields that the audit log shows. */
export const secretsIn = (text: string): string[] => [
  ...new Set(markersIn(text).filter((place) => !SHOWN.test(place))),
];

/** Returns the paths of all markers in a text. */
export const markersIn = (text: string): string[] =>
  [...text.matchAll(/MARK<([^>]*)>/g)].map(([, place = '']) => place);
