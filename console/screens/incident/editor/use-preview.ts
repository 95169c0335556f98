import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { failureIn, type Failure } from '../../../api/failure.ts';
import type { Schemas } from '../../../api/openapi.d.ts';
import { call } from '../../../session/call.ts';
import type { NewIncidentBody, NewUpdateBody } from './bodies.ts';

export type Preview = Schemas['IncidentPreview'];

/** The input of a preview. */
export type PreviewInput =
  | { page_id: string; incident_id: null; body: NewIncidentBody }
  | { page_id: string; incident_id: string; body: NewUpdateBody };

export interface PreviewState {
  /** preview of the latest input, or of an earlier one while a newer preview is loading; null: none yet */
  preview: Preview | null;
  failure: Failure | null;
  /** whether a newer preview is being loaded */
  busy: boolean;
}

/** Debounce in milliseconds. */
const REST_MS = 600;

const ask = ({ page_id, ...what }: PreviewInput, signal: AbortSignal): Promise<Preview> =>
  what.incident_id === null
    ? call('POST /v1/pages/{page_id}/incidents/preview', { params: { page_id }, body: what.body }, { signal })
    : call(
        'POST /v1/pages/{page_id}/incidents/{incident_id}/incident_updates/preview',
        { params: { page_id, incident_id: what.incident_id }, body: what.body },
        { signal },
      );

/**
 * Loads the preview of a draft, after a debounce and with one request at a time.
 *
 * @param what input of the preview; null: there is nothing to preview yet
 */
export const usePreview = (what: PreviewInput | null): PreviewState => {
  const state = useSignal<PreviewState>({ preview: null, failure: null, busy: false });
  const wanted = useRef<PreviewInput | null>(null);
  const leaving = useRef<AbortController | null>(null);
  const isAsking = useRef(false);

  const isWanted = (): boolean => wanted.current !== null;
  const work = async (): Promise<void> => {
    if (isAsking.current) return;
    isAsking.current = true;
    const { signal } = (leaving.current ??= new AbortController());
    const taken = (): PreviewInput | null => {
      const next = wanted.current;
      wanted.current = null;
      return next;
    };
    for (let next = taken(); next !== null; next = taken()) {
      try {
        state.value = { preview: await ask(next, signal), failure: null, busy: isWanted() };
      } catch (error) {
        if (signal.aborted) return;
        const failure = failureIn(error);
        state.value = { ...state.value, failure, busy: isWanted() };
      }
    }
    isAsking.current = false;
  };

  const key = JSON.stringify(what);
  useEffect(() => {
    if (what === null) {
      wanted.current = null;
      state.value = { preview: null, failure: null, busy: false };
      return;
    }
    state.value = { ...state.value, busy: true };
    const timer = setTimeout(() => {
      wanted.current = what;
      void work();
    }, REST_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [key]);
  useEffect(
    () => () => {
      leaving.current?.abort();
    },
    [],
  );
  return state.value;
};
