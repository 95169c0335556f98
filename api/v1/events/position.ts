import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import type { Mac } from '../../../domain/signed-token.ts';

/** A place in the log `main`: an event. */
export interface Place {
  /** of the event; 0n: before the first one */
  position: bigint;
  /**
   * tells the event from others that may stand at this position, as after an older copy of the log was restored;
   * {@link UNMARKED} where the event is not known
   */
  mark: number;
}

export const UNMARKED = 0;

/** The mark of an event, from its UUID. */
export const markOf = (eventId: string): number => Number.parseInt(eventId.slice(0, 8), 16);

/** Makes tokens of places, which tell clients nothing of how much others do, and reads them again. */
export interface PlaceTokens {
  seal: (organizationId: string, place: Place) => Promise<string>;
  /** @returns null: it is no token of this organization */
  open: (organizationId: string, token: string) => Promise<Place | null>;
}

/** One block, so no mode of chaining is needed: no two places of an organization have the same plain text. */
const CIPHER = 'aes-128-ecb';
const KEY_BYTES = 16;
const TOKEN = /^[\w-]{22}$/;

/**
 * A token is one block of AES: position, organization and mark. It is the same in all processes, and after a restart.
 *
 * @param mac gives the key
 */
export const createPlaceTokens = (mac: Mac): PlaceTokens => {
  let made: Promise<Buffer> | null = null;
  const key = (): Promise<Buffer> => {
    if (!made) {
      made = mac('place in the log', '').then((text) => hash('sha256', text, 'buffer').subarray(0, KEY_BYTES));
      made.catch(() => (made = null));
    }
    return made;
  };
  return {
    seal: async (organizationId, { position, mark }) => {
      const block = Buffer.alloc(16);
      block.writeBigUInt64BE(position, 0);
      block.writeUInt32BE(numberOf(organizationId), 8);
      block.writeUInt32BE(mark, 12);
      const cipher = createCipheriv(CIPHER, await key(), null).setAutoPadding(false);
      return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
    },
    open: async (organizationId, token) => {
      if (!TOKEN.test(token)) return null;
      const cipher = createDecipheriv(CIPHER, await key(), null).setAutoPadding(false);
      const block = Buffer.concat([cipher.update(Buffer.from(token, 'base64url')), cipher.final()]);
      if (block.readUInt32BE(8) !== numberOf(organizationId)) return null;
      return { position: block.readBigUInt64BE(0), mark: block.readUInt32BE(12) };
    },
  };
};

const numberOf = (organizationId: string): number => hash('sha256', organizationId, 'buffer').readUInt32BE(0);
