import { DocumentsRefused, MAX_DOCUMENT_BYTES, type Document, type RefusedDocument } from './port.ts';
import { encode, indexedValueAt } from './values.ts';

/** UTF-8 takes at most this many bytes for a character of a string. */
const BYTES_A_CHARACTER = 3;

/** Collects the documents of a commit that a store can't hold, so that all are known at once. */
export class Refusals {
  readonly #refused: RefusedDocument[] = [];

  /**
   * The JSON text of a document as it is stored.
   *
   * @param paths of the fields that indexes cover
   * @param further says why the store can't hold such a text, by rules of its own
   * @returns null if it is refused
   */
  textOf(
    collection: string,
    document: Document,
    paths: readonly (readonly string[])[],
    further: (text: string) => string | null = () => null,
  ): string | null {
    try {
      for (const path of paths) indexedValueAt(document, path);
      const text = encode(document);
      const reason = tooLarge(text) ?? further(text);
      if (reason === null) return text;
      this.#refused.push({ collection, id: document.id, reason });
    } catch (error) {
      this.#refused.push({ collection, id: document.id, reason: (error as Error).message });
    }
    return null;
  }

  /** @throws DocumentsRefused */
  check(): void {
    if (this.#refused.length > 0) throw new DocumentsRefused(this.#refused);
  }
}

/** Counts bytes only where there may be too many. */
const tooLarge = (text: string): string | null => {
  if (text.length * BYTES_A_CHARACTER <= MAX_DOCUMENT_BYTES) return null;
  const bytes = Buffer.byteLength(text);
  return bytes > MAX_DOCUMENT_BYTES
    ? `It has ${bytes.toString()} bytes; at most ${MAX_DOCUMENT_BYTES.toString()} are possible.`
    : null;
};
