import { DECLARATION_BYTES, declaredInside, decoderFor } from './charset.ts';
import type { Decoder } from './decoder.ts';

/** Searches for a text in a body that is received in pieces of any size. */
export interface TextSearch {
  write: (chunk: Uint8Array) => void;
  /** Call at the end of the body. */
  end: () => void;
  found: () => boolean;
}

const BYTE_ORDER_MARK_BYTES = 3;

/** Creates a search for a text. @param contentType header of the response, which may name the charset */
export const createTextSearch = (text: string, contentType: string): TextSearch => {
  const needed = declaredInside(contentType) ? DECLARATION_BYTES : BYTE_ORDER_MARK_BYTES;
  let head: Uint8Array[] = [];
  let headBytes = 0;
  let decoder: Decoder | null = null;
  /** the end of the previous text, at most one character shorter than the searched text */
  let carried = '';
  let found = false;

  const look = (piece: string): void => {
    const seen = carried + piece;
    found ||= seen.includes(text);
    carried = text.length > 1 ? seen.slice(-(text.length - 1)) : '';
  };
  const begin = (): Decoder => {
    const bytes = Buffer.concat(head);
    head = [];
    const begun = decoderFor(contentType, bytes);
    look(begun.decode(bytes, { stream: true }));
    return begun;
  };

  return {
    write: (chunk) => {
      if (found) return;
      if (decoder) {
        look(decoder.decode(chunk, { stream: true }));
        return;
      }
      head.push(chunk);
      headBytes += chunk.length;
      if (headBytes >= needed) decoder = begin();
    },
    end: () => {
      if (found) return;
      const last = decoder ?? begin();
      look(last.decode());
    },
    found: () => found,
  };
};
