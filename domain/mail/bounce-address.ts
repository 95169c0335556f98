import { timingSafeEqual } from 'node:crypto';
import type { Mac } from '../signed-token.ts';
import { mailAddressOf, type MailAddress } from './address.ts';

const KIND = 'bounce address';
/** Length of a signature in hexadecimal digits. 16 digits are 64 bits. */
const SIGNATURE = 16;

/** The extension of the local part, such as `+k3v9x0q2m7ab.0123456789abcdef`. */
const EXTENSION = /\+([a-z0-9]{12})\.([0-9a-f]{16})$/i;
const EXTENSION_LENGTH = '+'.length + 12 + '.'.length + SIGNATURE;

/** Maximum length of a local part to which the extension can be added (RFC 5321, 4.5.3.1.1). */
export const MAX_BOUNCE_LOCAL_LENGTH = 64 - EXTENSION_LENGTH;

/**
 * Returns the return path of a delivery (VERP): the address of the service with the delivery's id in its local part.
 * The id is signed, because a forged bounce would unsubscribe other people. Case does not matter, because mail servers
 * may change the case of local parts.
 */
export const bounceAddress = async (
  deliveryId: string,
  { local, domain }: Pick<MailAddress, 'local' | 'domain'>,
  mac: Mac,
): Promise<string> => `${local}+${deliveryId}.${await signature(deliveryId, mac)}@${domain}`;

/**
 * Returns the delivery id in a return path; null if the address is not a return path, or was not signed by this
 * service.
 */
export const deliveryOfBounceAddress = async (address: string, mac: Mac): Promise<string | null> => {
  const local = mailAddressOf(address)?.local ?? '';
  const [, deliveryId, given] = EXTENSION.exec(local.toLowerCase()) ?? [];
  if (deliveryId === undefined || given === undefined) return null;
  const expected = await signature(deliveryId, mac);
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected)) ? deliveryId : null;
};

const signature = async (deliveryId: string, mac: Mac): Promise<string> =>
  Buffer.from(await mac(KIND, deliveryId), 'base64url')
    .toString('hex')
    .slice(0, SIGNATURE);
