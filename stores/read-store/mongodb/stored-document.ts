import type { Long } from 'mongodb';
import type { PackedDocument } from './packing.ts';

/** A document or, without `document`, the tombstone of a deleted one. */
export interface StoredDocument extends Partial<PackedDocument> {
  /** the document's id */
  _id: string;
  /** position of the commit that last wrote it */
  position: Long;
  /** when it was deleted */
  deleted_at?: Date;
}
