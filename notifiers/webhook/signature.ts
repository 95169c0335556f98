import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/**
 * Decodes the key of a secret. A secret is `whsec_` followed by 24 to 64 bytes in base64. Returns null if the secret is
 * invalid.
 */
export const decodeKey = (secret: string): Buffer | null => {
  if (!secret.startsWith(PREFIX)) return null;
  const text = secret.slice(PREFIX.length);
  const key = Buffer.from(text, 'base64');
  return key.length >= 24 && key.length <= 64 && key.toString('base64') === text ? key : null;
};

/**
 * Returns the headers with which a receiver can verify the sender, time and id of a message (Standard Webhooks 1.0).
 *
 * @param timestamp seconds since 1970
 * @param keys keys to sign with. Each adds a signature, so a receiver that knows any of the keys can verify the
 * message. Empty: no signature
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
