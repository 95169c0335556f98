import type { Mask } from '../engine/masking.ts';
import { decoderFor } from './charset.ts';

/** Number of characters of a body that are shown. */
export const EXCERPT_CHARACTERS = 1_024;

/** Bytes of a body that are kept, so secrets are found whole before it is cut: a character has up to three. */
const KEPT_BYTES = 163_840;
/** No form of a secret is longer (probes/engine/secret-forms.ts). */
const LONGEST_SECRET = 49_152;

/** The beginning of a body, for people who look for what is wrong with it. */
export interface Excerpt {
  /** @param codings of the body if it can't be unpacked; otherwise none */
  begin: (contentType: string, codings: readonly string[]) => void;
  write: (chunk: Buffer) => void;
  /** Masked, then cut; null if nothing has come. If it is not text, only what it is. */
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
      // A copy: the chunk is part of a larger one, which would be kept with it.
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
      // A secret may have been cut at the end of what was kept, so the mask did not recognize it.
      const whole = bytes < KEPT_BYTES ? masked : masked.slice(0, Math.max(0, masked.length - LONGEST_SECRET));
      return whole.slice(0, EXCERPT_CHARACTERS);
    },
  };
};

/** A text has no NUL, and few control characters or invalid ones. */
const isBinary = (text: string): boolean => {
  const odd = text.match(/[\x00-\x08\x0e-\x1f\x7f\ufffd]/g)?.length ?? 0;
  return text.includes('\0') || odd > text.length / 10;
};
