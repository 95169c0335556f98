import { DocumentsRefused, MAX_DOCUMENT_BYTES, type Document, type RefusedDocument } from './port.ts';
import { encode, indexedValueAt } from './values.ts';

/** Most UTF-8 bytes for a character of a string. */
const BYTES_A_CHARACTER = 3;

/** Collects the documents of a commit that a store can't store, so that all are reported together. */
export class Refusals {
  readonly #refused: RefusedDocument[] = [];

  /**
   * The JSON text of a document for storing.
   *
   * @param paths of the fields that indexes cover
   * @param further returns why the store refuses the text, by rules of its own; null if it accepts it
   * @returns null if the document is refused
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

/** Counts bytes only if there may be too many. */
const tooLarge = (text: string): string | null => {
  if (text.length * BYTES_A_CHARACTER <= MAX_DOCUMENT_BYTES) return null;
  const bytes = Buffer.byteLength(text);
  return bytes > MAX_DOCUMENT_BYTES ? `It has ${bytes} bytes; at most ${MAX_DOCUMENT_BYTES} are possible.` : null;
};
