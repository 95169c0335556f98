import { failureOf, unreachable } from '../../../api/failure.ts';
import type { Schemas } from '../../../api/openapi.d.ts';
import { SERVICE } from '../../../place.ts';
import { accessToken } from '../../../session/session.ts';

export type Imported = Schemas['ImportedSubscribers'];

/** The largest file that an import takes, bytes (docs/decisions.md: Subscribers). */
export const MAX_BYTES = 1_048_576;

/** Sends a request whose body or answer is CSV. @throws Failure */
const send = async (path: string, { body, ...init }: { method: string; body?: string; accept: string }) => {
  const ask = async (refused: string | null = null): Promise<Response> => {
    const credential = await accessToken(refused);
    const answer = await fetch(new URL(path, SERVICE), {
      method: init.method,
      credentials: 'same-origin',
      redirect: 'error',
      headers: {
        Accept: init.accept,
        ...(body !== undefined && { 'Content-Type': 'text/csv' }),
        ...(credential !== null && { Authorization: `Bearer ${credential}` }),
      },
      ...(body !== undefined && { body }),
    }).catch(() => {
      throw unreachable();
    });
    // A token that has expired meanwhile is replaced once.
    return answer.status === 401 && refused === null && credential !== null ? ask(credential) : answer;
  };
  const answer = await ask();
  if (!answer.ok) throw await failureOf(answer);
  return answer;
};

/** Imports subscribers from the text of a file. @param skips whether they count unconfirmed @throws Failure */
export const importCsv = async (page_id: string, text: string, skips: boolean): Promise<Imported> => {
  const path = `v1/pages/${encodeURIComponent(page_id)}/subscribers/import`;
  const query = skips ? '?skip_confirmation_notification=true' : '';
  const answer = await send(path + query, { method: 'POST', body: text, accept: 'application/json' });
  return (await answer.json()) as Imported;
};

/** Saves the subscribers of a page as a file. @throws Failure */
export const exportCsv = async (page_id: string): Promise<void> => {
  const path = `v1/pages/${encodeURIComponent(page_id)}/subscribers/export`;
  const answer = await send(path, { method: 'GET', accept: 'text/csv' });
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = 'subscribers.csv';
  link.click();
  URL.revokeObjectURL(address);
};
