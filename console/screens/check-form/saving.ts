import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { failureIn, Failure } from '../../api/failure.ts';
import type { RequestOf } from '../../api/request.ts';
import { call } from '../../session/call.ts';
import { setChannels } from './channels.ts';
import { changeOf, creationOf } from './bodies.ts';
import type { Draft } from './draft.ts';

/** A saved check. */
export interface SavedCheck {
  id: string;
  /** error that occurred while the check's alert channels were being set; null: none */
  failure: Failure | null;
}

export interface Saving {
  /** whether another user changed the check after it was loaded */
  conflict: ReadonlySignal<boolean>;
  /** @param over whether to overwrite another user's change @returns null if the check was not saved @throws Failure */
  save: (draft: Draft, channels: readonly string[] | null, over: boolean) => Promise<SavedCheck | null>;
}

/**
 * Returns a random idempotency key. Does not use `crypto.randomUUID`, which browsers do not provide over plain http.
 */
const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Saves the check in the form.
 *
 * @param check_id null to create a check
 * @param revision revision of the check that the form shows
 */
export const useSaving = (check_id: string | null, revision: number | null): Saving => {
  const conflict = useSignal(false);
  const sent = useRef({ body: '', name: '' });

  const create = async (draft: Draft): Promise<string> => {
    const body = creationOf(draft);
    const text = JSON.stringify(body);
    if (sent.current.body !== text) sent.current = { body: text, name: newIdempotencyKey() };
    const headers = { 'Idempotency-Key': sent.current.name };
    const { id } = await call(
      'POST /v1/checks',
      { body: body as unknown as RequestOf<'POST /v1/checks'>['body'] },
      { headers },
    );
    return id;
  };
  /** @returns whether the check was changed */
  const change = async (id: string, draft: Draft, over: boolean): Promise<boolean> => {
    const body = changeOf(draft) as RequestOf<'PATCH /v1/checks/{check_id}'>['body'] & object;
    if (Object.keys(body).length === 0) return true;
    const headers = over || revision === null ? {} : { 'If-Match': `"${revision}"` };
    try {
      await call('PATCH /v1/checks/{check_id}', { params: { check_id: id }, body }, { headers });
      return true;
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 412) throw error;
      conflict.value = true;
      return false;
    }
  };
  return {
    conflict,
    save: async (draft, channels, over) => {
      conflict.value = false;
      const id = check_id ?? (await create(draft));
      if (check_id !== null && !(await change(check_id, draft, over))) return null;
      try {
        if (channels && channels.length > 0) await setChannels(id, channels);
        return { id, failure: null };
      } catch (error) {
        return { id, failure: failureIn(error) };
      }
    },
  };
};
