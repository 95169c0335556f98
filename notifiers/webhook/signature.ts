import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** Decodes the key of a secret, which is `whsec_` and 24 to 64 bytes in base64; null if it is invalid. */
export const decodeKey = (secret: string): Buffer | null => {
  if (!secret.startsWith(PREFIX)) return null;
  const text = secret.slice(PREFIX.length);
  const key = Buffer.from(text, 'base64');
  return key.length >= 24 && key.length <= 64 && key.toString('base64') === text ? key : null;
};

/**
 * The headers that authenticate a body's sender, time and id (Standard Webhooks 1.0).
 *
 * @param timestamp seconds since 1970
 * @param keys each adds a signature, so that a receiver with any of them can verify the body; empty: no signature
 */
export const signatureHeaders = (
  id: string,
  timestamp: number,
  body: string,
  keys: readonly Buffer[],
): Record<string, string> => {
  const at = timestamp.toString();
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': at,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
};
