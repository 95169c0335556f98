import { openEvents } from '../api/events.ts';
import { Failure } from '../api/failure.ts';
import { createMessageReader, type StreamMessage } from './event-stream-parser.ts';
import { positionAfter } from './stream-events.ts';

/**
 * Time without data after which a stream is considered dead, in milliseconds. The service sends data at least every 15
 * seconds (docs/reference/events.md#event-types).
 */
const SILENCE_MS = 40_000;

/** How a connection ended. */
export interface StreamOutcome {
  failure: Failure | null;
  /** id of the last received event; null: none */
  id: string | null;
  /** the `retry` value of the stream, in milliseconds */
  retry: number | null;
  /** whether the stream had been opened */
  began: boolean;
}

/** Opens one connection and reads it until it ends. */
export const runConnection = async (
  credential: string | null,
  since: string | null,
  leaving: AbortSignal,
  { onOpen, onMessages }: { onOpen: () => void; onMessages: (messages: readonly StreamMessage[]) => void },
): Promise<StreamOutcome> => {
  const dead = new AbortController();
  const end = (): void => {
    dead.abort();
  };
  if (leaving.aborted) end();
  leaving.addEventListener('abort', end);
  let watch = setTimeout(end, SILENCE_MS);
  const ended: StreamOutcome = { failure: null, id: since, retry: null, began: false };
  try {
    const text = await openEvents(credential, since, dead.signal);
    const reader = createMessageReader();
    for (;;) {
      const { done, value } = await text.read();
      if (done) return ended;
      clearTimeout(watch);
      watch = setTimeout(end, SILENCE_MS);
      const messages = reader.read(value);
      ended.retry = reader.retry();
      if (messages.length === 0) continue;
      ended.id = positionAfter(messages, ended.id);
      onMessages(messages);
      if (!ended.began && messages.some(({ event }) => event === 'ready')) {
        ended.began = true;
        onOpen();
      }
    }
  } catch (error) {
    return { ...ended, failure: error instanceof Failure ? error : null };
  } finally {
    clearTimeout(watch);
    leaving.removeEventListener('abort', end);
  }
};
