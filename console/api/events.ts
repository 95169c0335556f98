import { SERVICE_URL } from '../urls.ts';
import { failureOf, unreachable } from './failure.ts';

/**
 * Opens the event stream `GET /v1/events` (docs/reference/events.md) with `fetch`, because `EventSource` can't send the
 * access token.
 *
 * @param since id of the last received event; null requests only new events
 * @returns the text of the stream, as it arrives
 * @throws Failure
 * @throws DOMException `AbortError`: aborted by the caller
 */
export const openEvents = async (
  credential: string | null,
  since: string | null,
  signal: AbortSignal,
): Promise<ReadableStreamDefaultReader<string>> => {
  const answer = await fetch(new URL('v1/events', SERVICE_URL), {
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
