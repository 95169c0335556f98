import type { Mask } from '../engine/masking.ts';
import { decoderFor } from './charset.ts';

/** Maximum length of an excerpt, in characters. */
export const EXCERPT_CHARACTERS = 1_024;

/**
 * Number of bytes of a body that are stored: enough for the excerpt and one secret of any length, with three bytes per
 * character. A secret that begins in the excerpt is therefore stored completely, and can be masked.
 */
const KEPT_BYTES = 163_840;
/** Maximum length of any form of a secret, in characters (probes/engine/secret-forms.ts). */
const LONGEST_SECRET = 49_152;

/** The beginning of a body, for people who investigate a failure. */
export interface Excerpt {
  /** @param codings the codings of a body that can't be decompressed; otherwise empty */
  begin: (contentType: string, codings: readonly string[]) => void;
  write: (chunk: Buffer) => void;
  /** Returns the masked and shortened text, or a description of binary data; null if the body is empty. */
  read: (mask: Mask) => string | null;
}

export const createExcerpt = (): Excerpt => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let contentType = '';
  let codings: readonly string[] = [];

  return {
    begin: (type, unread) => {
      contentType = type;
      codings = unread;
    },
    write: (chunk) => {
      const room = KEPT_BYTES - bytes;
      if (room <= 0) return;
      // Copies the part, because otherwise the larger buffer that contains the chunk would stay in memory.
      chunks.push(Buffer.from(chunk.subarray(0, room)));
      bytes += Math.min(room, chunk.length);
    },
    read: (mask) => {
      if (codings.length > 0) return `[encoded as ${codings.join(', ').slice(0, 100)}]`;
      if (bytes === 0) return null;
      const kept = Buffer.concat(chunks);
      const text = decoderFor(contentType, kept).decode(kept, { stream: true });
      if (isBinary(text.slice(0, EXCERPT_CHARACTERS))) return '[binary]';
      const masked = mask(text);
      // If a secret is cut off at the end of the stored bytes, its beginning was not masked. Therefore, the end of the
      // text is removed.
      const whole = bytes < KEPT_BYTES ? masked : masked.slice(0, Math.max(0, masked.length - LONGEST_SECRET));
      return whole.slice(0, EXCERPT_CHARACTERS);
    },
  };
};

/** Returns whether a text is binary data: it contains NUL, or many control characters or invalid characters. */
const isBinary = (text: string): boolean => {
  const odd = text.match(/[\x00-\x08\x0e-\x1f\x7f\ufffd]/g)?.length ?? 0;
  return text.includes('\0') || odd > text.length / 10;
};
