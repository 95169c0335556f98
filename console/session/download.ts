import { failureOf, unreachable } from '../api/failure.ts';
import { SERVICE } from '../place.ts';
import { accessToken } from './session.ts';

/**
 * Saves what an address of the API answers as a file.
 *
 * @param path below the root of the service, with its query: `v1/audit?format=csv`
 * @param accept its media type
 * @throws Failure
 */
export const download = async (path: string, accept: string, name: string): Promise<void> => {
  const ask = async (refused: string | null = null): Promise<Response> => {
    const credential = await accessToken(refused);
    const answer = await fetch(new URL(path, SERVICE), {
      credentials: 'same-origin',
      redirect: 'error',
      headers: { Accept: accept, ...(credential !== null && { Authorization: `Bearer ${credential}` }) },
    }).catch(() => {
      throw unreachable();
    });
    // A token that has expired meanwhile is replaced once.
    return answer.status === 401 && refused === null && credential !== null ? ask(credential) : answer;
  };
  const answer = await ask();
  if (!answer.ok) throw await failureOf(answer);
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};
