import { signal, type ReadonlySignal } from '@preact/signals';
import type { Failure } from '../../../api/failure.ts';
import type { Schemas } from '../../../api/openapi.d.ts';
import { call } from '../../../session/call.ts';

export type Draft = Schemas['Postmortem'];

export const POSTMORTEM = '/v1/pages/{page_id}/incidents/{incident_id}/postmortem' as const;

export type Saving =
  | { status: 'saved'; at: string | null }
  | { status: 'waiting' }
  | { status: 'failed'; failure: Failure }
  /** another user has changed the draft */
  | { status: 'others' };

/** Debounce in milliseconds. */
const REST_MS = 1_500;

export interface Drafting {
  saving: ReadonlySignal<Saving>;
  /** saves a text after the debounce */
  write: (text: string) => void;
  /** saves unsaved changes, and overwrites changes of other users @returns whether everything is saved */
  saveNow: () => Promise<boolean>;
  end: () => void;
}

/**
 * Autosaves the draft of a postmortem.
 *
 * @param known the draft as last seen by the writer; null: none
 */
export const draftingOf = (
  params: { page_id: string; incident_id: string },
  known: Pick<Draft, 'body_draft_updated_at'> | null,
): Drafting => {
  const saving = signal<Saving>({ status: 'saved', at: known?.body_draft_updated_at ?? null });
  let version = known?.body_draft_updated_at ?? null;
  let wanted: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let working: Promise<boolean> | null = null;

  const isOthers = async (): Promise<boolean> => {
    if (version === null) return false;
    const { body_draft_updated_at } = await call(`GET ${POSTMORTEM}`, { params });
    return body_draft_updated_at !== version;
  };

  const save = async (over: boolean): Promise<boolean> => {
    while (wanted !== null && wanted.trim() !== '') {
      const text = wanted;
      try {
        if (!over && (await isOthers())) {
          saving.value = { status: 'others' };
          return false;
        }
        const draft = await call(`PUT ${POSTMORTEM}`, { params, body: { body_draft: text } });
        version = draft.body_draft_updated_at;
        if (wanted === text) wanted = null;
        saving.value = { status: wanted === null ? 'saved' : 'waiting', at: version };
      } catch (error) {
        saving.value = { status: 'failed', failure: error as Failure };
        return false;
      }
    }
    return true;
  };
  /** Sends unsaved text after the previous request has completed. */
  const work = async (over: boolean): Promise<boolean> => {
    await working;
    working = save(over);
    return working;
  };
  return {
    saving,
    write: (text) => {
      wanted = text;
      if (saving.value.status === 'others') return;
      saving.value = { status: 'waiting' };
      clearTimeout(timer);
      timer = setTimeout(() => void work(false), REST_MS);
    },
    saveNow: () => {
      clearTimeout(timer);
      return work(true);
    },
    end: () => {
      clearTimeout(timer);
      if (saving.value.status === 'waiting') void work(false);
    },
  };
};
