import type { Mask } from '../engine/masking.ts';
import { decoderFor } from './charset.ts';

/** Maximum length of an excerpt, characters. */
export const EXCERPT_CHARACTERS = 1_024;

/** Bytes of a body to store, so that secrets are complete before the excerpt is cut: a character has up to three. */
const KEPT_BYTES = 163_840;
/** Maximum length of any form of a secret (probes/engine/secret-forms.ts). */
const LONGEST_SECRET = 49_152;

/** The beginning of a body, for people who investigate a failure. */
export interface Excerpt {
  /** @param codings of the body if it can't be decompressed; otherwise empty */
  begin: (contentType: string, codings: readonly string[]) => void;
  write: (chunk: Buffer) => void;
  /** The masked and shortened text; null for an empty body. For binary data, only a description. */
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
      // A copy: the chunk is part of a larger buffer, which it would retain.
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
      // A secret may be cut at the end of the stored bytes, where the mask doesn't recognise it.
      const whole = bytes < KEPT_BYTES ? masked : masked.slice(0, Math.max(0, masked.length - LONGEST_SECRET));
      return whole.slice(0, EXCERPT_CHARACTERS);
    },
  };
};

/** Text contains no NUL, and few control or invalid characters. */
const isBinary = (text: string): boolean => {
  const odd = text.match(/[\x00-\x08\x0e-\x1f\x7f\ufffd]/g)?.length ?? 0;
  return text.includes('\0') || odd > text.length / 10;
};
