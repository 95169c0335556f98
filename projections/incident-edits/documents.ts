import type { Instant } from '../../domain/time.ts';
import type { IncidentUpdateView } from '../incidents/documents.ts';

/** A text that an edit replaced. */
export interface ReplacedText {
  body: string;
  replaced_at: Instant;
  /** of the edit in the log, which tells whether the page showed edits then */
  position: number;
  withheld: boolean;
}

/** An update of an incident whose text was edited or withheld, or that was removed. Id: the update's. */
export interface UpdateEditsDocument {
  id: string;
  incident_id: string;
  /** its texts before edits, oldest first: the last {@link MAX_REPLACED_TEXTS} */
  replaced: readonly ReplacedText[];
  /** since when its last text is withheld; null: it is not */
  withheld_at: Instant | null;
  /** null: it was not removed */
  removed: { update: Omit<IncidentUpdateView, 'withheld_at'>; removed_at: Instant; position: number } | null;
  changed_position: number;
  /** characters of all texts in this document */
  length: number;
}

/** How many replaced texts of an update are stored here; all are in the log. */
export const MAX_REPLACED_TEXTS = 20;
