import { useEffect } from 'preact/hooks';
import { usePast } from '../../past/past.ts';
import type { Heartbeat } from './source.ts';
import { nextLate } from './times.ts';

/**
 * Minimum interval between two reads, in milliseconds. Without this minimum, many heartbeats with a period of a minute
 * would cause constant reads.
 */
const LEAST_MS = 30_000;
/** Time after the due time in which the service stores a ping that arrived in time, in milliseconds. */
const MARGIN_MS = 2_000;
const MOST_MS = 86_400_000;

/**
 * Reads the heartbeats again after one of their pings was due. This is necessary because the event stream does not
 * report that a heartbeat becomes late. Nothing is read while the tab is hidden, and in past states, which don't change.
 */
export const useLateRefresh = (rows: readonly Heartbeat[], again: () => void): void => {
  const past = usePast();
  useEffect(() => {
    const at = past === null ? nextLate(rows) : null;
    if (at === null) return;
    const begun = Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      clearTimeout(timer);
      if (document.hidden) return;
      const due = Math.max(at + MARGIN_MS, begun + LEAST_MS);
      timer = setTimeout(again, Math.min(MOST_MS, Math.max(0, due - Date.now())));
    };
    wait();
    document.addEventListener('visibilitychange', wait);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wait);
    };
  }, [rows, past]);
};
