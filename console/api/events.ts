import { SERVICE } from '../place.ts';
import { failureOf, unreachable } from './failure.ts';

/**
 * Opens the stream of changes, `GET /v1/events` (docs/events.md). `EventSource` can't send the access token.
 *
 * @param since the id of the last event that was received; null: from now on
 * @returns the text of the stream, as it arrives
 * @throws Failure @throws DOMException `AbortError`: it was given up
 */
export const openEvents = async (
  credential: string | null,
  since: string | null,
  signal: AbortSignal,
): Promise<ReadableStreamDefaultReader<string>> => {
  const answer = await fetch(new URL('v1/events', SERVICE), {
    signal,
    cache: 'no-store',
    credentials: 'same-origin',
    redirect: 'error',
    headers: {
      Accept: 'text/event-stream',
      ...(credential !== null && { Authorization: `Bearer ${credential}` }),
      ...(since !== null && { 'Last-Event-ID': since }),
    },
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  });
  if (!answer.ok || !answer.body) throw await failureOf(answer);
  return answer.body.pipeThrough(new TextDecoderStream()).getReader();
};
