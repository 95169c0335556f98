import type { Long } from 'mongodb';
import type { PackedDocument } from './packing.ts';

/**
 * A document. Without the field `document`, it is the tombstone of a deleted document, which MongoDB removes after a
 * day.
 */
export interface StoredDocument extends Partial<PackedDocument> {
  /** the document's id */
  _id: string;
  /** position of the commit that last wrote the document */
  position: Long;
  /** when the document was deleted */
  deleted_at?: Date;
}
