import { hash } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Derives an id of 12 lowercase letters and digits from a text (docs/reference/requests.md#identifiers). */
export const derivedId = (text: string): string => {
  const digest = hash('sha256', text, 'buffer');
  let id = '';
  // Skip bytes from 252 on, so that all 36 characters are equally likely: 252 is a multiple of 36, but 256 is not.
  for (let i = 0; id.length < 12 && i < digest.length; i++) {
    const byte = digest[i] ?? 255;
    if (byte < 252) id += ALPHABET[byte % 36] ?? '';
  }
  return id.length === 12 ? id : derivedId(`${text}+`);
};

/** Derives a UUID from a text. */
export const derivedUuid = (text: string): string => {
  const hex = hash('sha256', text, 'hex');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** The index of the version digit in a UUID (RFC 9562, 4). */
const VERSION_DIGIT = 14;

/** Whether a UUID is random (version 4), not derived from a text (version 5). */
export const isRandomUuid = (uuid: string): boolean => uuid.charAt(VERSION_DIGIT) === '4';
