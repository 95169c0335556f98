import type { Instant } from '../../domain/time.ts';
import type { IncidentUpdateView } from '../incidents/documents.ts';

/** A text that an edit replaced. */
export interface ReplacedText {
  body: string;
  replaced_at: Instant;
  /** Position of the edit in the log. The position determines whether the page showed edits at that time. */
  position: number;
  withheld: boolean;
}

/** An incident update whose text was edited or withheld, or that was removed. The id is that of the update. */
export interface UpdateEditsDocument {
  id: string;
  incident_id: string;
  /** Texts that edits have replaced, oldest first. Contains only the newest {@link MAX_REPLACED_TEXTS}. */
  replaced: readonly ReplacedText[];
  /** Time at which the current text was withheld. Null if it is not withheld. */
  withheld_at: Instant | null;
  /** Null if the update was not removed. */
  removed: { update: Omit<IncidentUpdateView, 'withheld_at'>; removed_at: Instant; position: number } | null;
  changed_position: number;
  /** Total length of the texts in this document, in characters. */
  length: number;
}

/** Maximum number of replaced texts of an update in a document. The log contains all of them. */
export const MAX_REPLACED_TEXTS = 20;
