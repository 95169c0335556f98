import { failureOf, unreachable } from '../api/failure.ts';
import { SERVICE_URL } from '../urls.ts';
import { accessToken } from './session.ts';

export interface PlainRequest {
  method?: 'GET' | 'POST';
  /** media type of the response */
  accept: string;
  /** body of the request, with its media type */
  body?: { type: string; text: string };
}

/**
 * Sends a request of the signed-in user whose request body or response body is not JSON. For JSON, use `call`.
 *
 * @param path path below the service's root, with the query: `v1/audit?format=csv`
 * @throws Failure
 */
export const plainRequest = async (path: string, { method = 'GET', accept, body }: PlainRequest): Promise<Response> => {
  const ask = async (refused: string | null = null): Promise<Response> => {
    const credential = await accessToken(refused);
    const answer = await fetch(new URL(path, SERVICE_URL), {
      method,
      credentials: 'same-origin',
      redirect: 'error',
      headers: {
        Accept: accept,
        ...(body && { 'Content-Type': body.type }),
        ...(credential !== null && { Authorization: `Bearer ${credential}` }),
      },
      ...(body && { body: body.text }),
    }).catch(() => {
      throw unreachable();
    });
    // If the service rejects the access token, get a new access token and repeat the request once.
    return answer.status === 401 && refused === null && credential !== null ? ask(credential) : answer;
  };
  const answer = await ask();
  if (!answer.ok) throw await failureOf(answer);
  return answer;
};
