import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import type { Mac } from '../../../domain/signed-token.ts';

/** The position of an event in the log `main`. */
export interface LogPosition {
  /** Position of the event. 0n is the position before the first event. */
  position: bigint;
  /**
   * Distinguishes the event from a different event at the same position. A different event can have the same position
   * after an older backup of the log was restored. {@link UNMARKED} if the event is not known.
   */
  mark: number;
}

export const UNMARKED = 0;

/** Derives the mark of an event (see {@link LogPosition}) from its UUID. */
export const markOf = (eventId: string): number => Number.parseInt(eventId.slice(0, 8), 16);

/** Encrypts positions as tokens for clients. Plain positions would reveal how active other organizations are. */
export interface PositionTokens {
  encrypt: (organizationId: string, place: LogPosition) => Promise<string>;
  /** @returns null if the token is invalid or belongs to another organization */
  decrypt: (organizationId: string, token: string) => Promise<LogPosition | null>;
}

/** ECB is safe here: a token is a single block, and no two positions of an organization have the same plain text. */
const CIPHER = 'aes-128-ecb';
const KEY_BYTES = 16;
const TOKEN = /^[\w-]{22}$/;

/**
 * Creates tokens of one AES block, which contains position, organization and mark. The token of a position is the same
 * in all processes and after a restart.
 *
 * @param mac derives the encryption key
 */
export const createPositionTokens = (mac: Mac): PositionTokens => {
  let made: Promise<Buffer> | null = null;
  const key = (): Promise<Buffer> => {
    if (!made) {
      made = mac('place in the log', '').then((text) => hash('sha256', text, 'buffer').subarray(0, KEY_BYTES));
      made.catch(() => (made = null));
    }
    return made;
  };
  return {
    encrypt: async (organizationId, { position, mark }) => {
      const block = Buffer.alloc(16);
      block.writeBigUInt64BE(position, 0);
      block.writeUInt32BE(numberOf(organizationId), 8);
      block.writeUInt32BE(mark, 12);
      const cipher = createCipheriv(CIPHER, await key(), null).setAutoPadding(false);
      return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
    },
    decrypt: async (organizationId, token) => {
      if (!TOKEN.test(token)) return null;
      const cipher = createDecipheriv(CIPHER, await key(), null).setAutoPadding(false);
      const block = Buffer.concat([cipher.update(Buffer.from(token, 'base64url')), cipher.final()]);
      if (block.readUInt32BE(8) !== numberOf(organizationId)) return null;
      return { position: block.readBigUInt64BE(0), mark: block.readUInt32BE(12) };
    },
  };
};

const numberOf = (organizationId: string): number => hash('sha256', organizationId, 'buffer').readUInt32BE(0);
