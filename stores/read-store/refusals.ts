import { DocumentsRefused, MAX_DOCUMENT_BYTES, type Document, type RefusedDocument } from './port.ts';
import { encode, indexedValueAt } from './values.ts';

/** Maximum number of UTF-8 bytes for one UTF-16 code unit of a string. */
const BYTES_A_CHARACTER = 3;

/** Collects the documents of a commit that can't be stored, so that one error reports all of them. */
export class Refusals {
  readonly #refused: RefusedDocument[] = [];

  /**
   * Returns the JSON text of a document, or records that the document is refused.
   *
   * @param paths paths of the fields that indexes cover
   * @param further returns why this store refuses the text; null if it accepts the text
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

/**
 * Returns why a text is too large; null if it is not too large. Counts the bytes only if the number of characters
 * leaves the answer open.
 */
const tooLarge = (text: string): string | null => {
  if (text.length * BYTES_A_CHARACTER <= MAX_DOCUMENT_BYTES) return null;
  const bytes = Buffer.byteLength(text);
  return bytes > MAX_DOCUMENT_BYTES ? `It has ${bytes} bytes; at most ${MAX_DOCUMENT_BYTES} are possible.` : null;
};
