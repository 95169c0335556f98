import { ROOT } from '../../../place.ts';
import type { Kind } from './draft.ts';
import { readDraft, type StoredDraft } from './draft-text.ts';

/** Whose draft it is, and of what: `incident_id` null for a new one. */
export interface DraftPlace {
  user_id: string;
  page_id: string;
  incident_id: string | null;
  kind: Kind;
}

/** The storage key of a draft; it is specific to the user. */
export const draftKey = ({ user_id, page_id, incident_id, kind }: DraftPlace): string =>
  `uptrail ${ROOT} draft ${user_id} ${page_id} ${incident_id ?? `new ${kind}`}`;

/** The stored draft of this tab; null: there is none. */
export const storedDraft = (place: DraftPlace): StoredDraft | null => {
  try {
    return readDraft(sessionStorage.getItem(draftKey(place)), place.kind);
  } catch {
    return null;
  }
};

/** Keeps a draft for as long as the tab lives; null: forgets it. */
export const storeDraft = (place: DraftPlace, stored: StoredDraft | null): void => {
  try {
    if (stored === null) sessionStorage.removeItem(draftKey(place));
    else sessionStorage.setItem(draftKey(place), JSON.stringify(stored));
  } catch {
    // It is forgotten with the page.
  }
};
