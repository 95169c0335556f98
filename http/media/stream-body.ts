import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { StreamedContent } from './content.ts';
import type { KeepAlive } from './media-types.ts';

const GONE = Symbol('gone');

/**
 * Sends a stream with backpressure. The response ends when the source ends. It ends immediately when the client
 * disconnects; an endless response also ends when the service stops. If the source fails, the connection is closed, so
 * that the client notices that the response is incomplete.
 *
 * @param stopping aborts when the service stops
 * @throws any error of the source
 */
export const streamBody = async (
  streamed: StreamedContent,
  response: ServerResponse,
  endless: KeepAlive | null,
  stopping: AbortSignal | undefined,
): Promise<void> => {
  const stop = endless ? stopping : undefined;
  const over = new AbortController();
  const end = (): void => {
    over.abort();
  };
  response.once('close', end);
  stop?.addEventListener('abort', end, { once: true });
  if (response.destroyed || stop?.aborted) end();
  const signs =
    endless &&
    setInterval(() => {
      if (!response.writableNeedDrain) response.write(endless.message);
    }, endless.intervalMs);
  let pieces: AsyncIterator<string | Uint8Array> | null = null;
  try {
    pieces = streamed(over.signal)[Symbol.asyncIterator]();
    for (;;) {
      const next = await before(over.signal, pieces.next());
      if (next === GONE || next.done) break;
      if (!response.write(next.value)) await before(over.signal, once(response, 'drain', { signal: over.signal }));
    }
    response.end();
  } catch (error) {
    // Closing the connection tells the client that the response is incomplete.
    response.destroy();
    throw error;
  } finally {
    clearInterval(signs ?? undefined);
    stop?.removeEventListener('abort', end);
    end();
    // Ends a source that does not observe the signal. If such a source is waiting, it ends after that wait.
    pieces?.return?.().catch(() => undefined);
  }
};

/** Returns the value of a promise, or {@link GONE} if the signal aborts first. */
const before = async <T>(signal: AbortSignal, promise: Promise<T>): Promise<T | typeof GONE> => {
  let end = (): void => undefined;
  const gone = new Promise<typeof GONE>((resolve) => {
    end = () => {
      resolve(GONE);
    };
  });
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await Promise.race([promise, gone]);
  } catch (error) {
    // After the abort, errors of the source do not matter.
    if (signal.aborted) return GONE;
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
};
