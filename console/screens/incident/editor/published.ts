import { signal, type ReadonlySignal } from '@preact/signals';
import { call } from '../../../session/call.ts';
import { UNDO_SECONDS } from './bodies.ts';
import type { Draft } from './draft.ts';
import { storeDraft, type DraftLocation } from './stored-draft.ts';

/** The most recent publication in this tab. It can be undone until its messages are sent. */
export interface Published {
  page_id: string;
  incident_id: string;
  /** id of the published update; null: a new incident was published */
  update_id: string | null;
  notifies: boolean;
  /** end of the undo period, in milliseconds since 1970 */
  until: number;
  /** the draft to restore on undo */
  draft: Draft;
  place: DraftLocation;
}

/** Time reserved for the request that undoes a publication, in milliseconds. */
const MARGIN_MS = 1_000;

const current = signal<Published | null>(null);
const undone = signal(0);

export const published: ReadonlySignal<Published | null> = current;

/** Number of undone publications. When it changes, an open editor restores the draft. */
export const undoneCount: ReadonlySignal<number> = undone;

/**
 * Shows the publication bar.
 *
 * @param sentAt time when the request was sent, in milliseconds since 1970. The service receives the request later, so
 * the undo period always ends before the service sends messages
 */
export const showPublished = (what: Omit<Published, 'until'>, sentAt: number): void => {
  current.value = { ...what, until: sentAt + UNDO_SECONDS * 1_000 - MARGIN_MS };
};

export const forgetPublished = (): void => {
  current.value = null;
};

/** Undoes a publication: the page is restored and no message is sent. @throws Failure */
export const undoPublication = async ({ page_id, incident_id, update_id, draft, place }: Published): Promise<void> => {
  const params = { page_id, incident_id };
  if (update_id === null) await call('DELETE /v1/pages/{page_id}/incidents/{incident_id}', { params });
  else {
    await call('DELETE /v1/pages/{page_id}/incidents/{incident_id}/incident_updates/{incident_update_id}', {
      params: { ...params, incident_update_id: update_id },
    });
  }
  storeDraft(place, { draft, seen: null });
  current.value = null;
  undone.value += 1;
};
