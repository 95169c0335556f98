import type { Long } from 'mongodb';
import type { Packed } from './packing.ts';

/** A document, or, without `document`, what a deleted one has left. */
export interface StoredDocument extends Partial<Packed> {
  /** the document's id */
  _id: string;
  /** of the commit that wrote it last */
  position: Long;
  /** when it was deleted */
  deleted_at?: Date;
}
