import { CONSOLE_PATH } from '../../../urls.ts';
import type { Kind } from './draft.ts';
import { readDraft, type StoredDraft } from './draft-text.ts';

/** The user and the subject of a draft; `incident_id` is null for a new incident. */
export interface DraftLocation {
  user_id: string;
  page_id: string;
  incident_id: string | null;
  kind: Kind;
}

/** Returns the storage key of a draft. Each user has separate keys. */
export const draftKey = ({ user_id, page_id, incident_id, kind }: DraftLocation): string =>
  `uptrail ${CONSOLE_PATH} draft ${user_id} ${page_id} ${incident_id ?? `new ${kind}`}`;

/** Returns the stored draft of this tab, or null if there is none. */
export const storedDraft = (place: DraftLocation): StoredDraft | null => {
  try {
    return readDraft(sessionStorage.getItem(draftKey(place)), place.kind);
  } catch {
    return null;
  }
};

/** Stores a draft for the lifetime of the tab; null deletes the stored draft. */
export const storeDraft = (place: DraftLocation, stored: StoredDraft | null): void => {
  try {
    if (stored === null) sessionStorage.removeItem(draftKey(place));
    else sessionStorage.setItem(draftKey(place), JSON.stringify(stored));
  } catch {
    // If storage is disabled, the draft exists only until the page is closed or reloaded.
  }
};
