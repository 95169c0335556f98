import { contentOf, elementAt, elementsIn, TAG } from './der.ts';

/** TLS extension `status_request` (RFC 6066). */
const STATUS_REQUEST = 5;

/**
 * Returns whether the TLS feature extension of a certificate (RFC 7633) requires a stapled OCSP response.
 *
 * @param value value of the extension; null if absent
 */
export const isMustStaple = (value: Buffer | null): boolean => {
  if (!value) return false;
  for (const feature of elementsIn(value, elementAt(value, 0)))
    if (feature.tag === TAG.integer && contentOf(value, feature).equals(Buffer.from([STATUS_REQUEST]))) return true;
  return false;
};

/**
 * Returns the number of signed certificate timestamps in a certificate (RFC 6962, 3.3).
 *
 * @param value value of the extension; null if absent
 */
export const sctsIn = (value: Buffer | null): number => {
  if (!value) return 0;
  const list = contentOf(value, elementAt(value, 0));
  let count = 0;
  for (let at = 2; at + 2 <= list.length; at += 2 + list.readUInt16BE(at)) count++;
  return count;
};
