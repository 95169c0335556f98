import { timingSafeEqual } from 'node:crypto';
import type { Mac } from '../signed-token.ts';
import { mailAddressOf, type MailAddress } from './address.ts';

const KIND = 'bounce address';
/** Hexadecimal digits of a signature: 64 bits. */
const SIGNATURE = 16;

/** What is put after the local part of an address: `+k3v9x0q2m7ab.0123456789abcdef` */
const EXTENSION = /\+([a-z0-9]{12})\.([0-9a-f]{16})$/i;
const EXTENSION_LENGTH = '+'.length + 12 + '.'.length + SIGNATURE;

/** How long the local part of the address may be to which the extension is added (RFC 5321, 4.5.3.1.1). */
export const LONGEST_BOUNCE_LOCAL = 64 - EXTENSION_LENGTH;

/**
 * Where servers report that a delivery failed: the address of the service, with the delivery in its local part
 * (variable envelope return path). It is signed, since whoever could make one could have others taken off the list.
 * Servers may change the case of local parts.
 */
export const bounceAddress = async (
  deliveryId: string,
  { local, domain }: Pick<MailAddress, 'local' | 'domain'>,
  mac: Mac,
): Promise<string> => `${local}+${deliveryId}.${await signature(deliveryId, mac)}@${domain}`;

/** The delivery that an address is of; null if none, or it was not made by this service. */
export const bouncedDelivery = async (address: string, mac: Mac): Promise<string | null> => {
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
