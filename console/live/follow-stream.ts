import { accessToken } from '../session/session.ts';
import { runConnection } from './connection.ts';
import { backoffDelay } from './backoff.ts';
import type { FollowStream } from './shared-stream.ts';

/** Waits for `ms`. Ends early when the browser is online again. */
const pause = (ms: number, leaving: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(over, ms);
    function over(): void {
      clearTimeout(timer);
      removeEventListener('online', over);
      leaving.removeEventListener('abort', over);
      resolve();
    }
    addEventListener('online', over);
    leaving.addEventListener('abort', over);
  });

/** Follows the service's event stream with the session's access token, and reopens the stream whenever it ends. */
export const followStream: FollowStream = async (position, leaving, { onOpen, onMessages, onEnd }) => {
  let since = position;
  let refused: string | null = null;
  let failures = 0;
  const isLeaving = (): boolean => leaving.aborted;
  for (;;) {
    const credential: string | null | undefined = await accessToken(refused).catch(() => undefined);
    if (credential === null) return;
    let wait = 0;
    let retry: number | null = null;
    if (credential !== undefined) {
      const anew = since === null;
      const ended = await runConnection(credential, since, leaving, {
        onOpen: () => {
          onOpen(anew);
        },
        onMessages,
      });
      since = ended.id;
      refused = ended.failure?.status === 401 ? credential : null;
      wait = (ended.failure?.retryAfter ?? 0) * 1_000;
      retry = ended.retry;
      if (ended.began) failures = 0;
    }
    if (isLeaving()) return;
    onEnd();
    await pause(Math.max(backoffDelay(failures, retry, Math.random()), wait), leaving);
    if (isLeaving()) return;
    failures += 1;
  }
};
