import { useEffect } from 'preact/hooks';
import type { Heartbeat } from './source.ts';
import { nextLate } from './times.ts';

/** Minimum interval between reads in milliseconds, because many heartbeats may expect a ping every minute. */
const LEAST_MS = 30_000;
/** Allowance for storing pings that arrived in time. */
const MARGIN_MS = 2_000;
const MOST_MS = 86_400_000;

/**
 * Reads heartbeats again once one of their pings was due, because becoming late sends no event. Nothing is read while
 * the tab is hidden.
 */
export const useLateRefresh = (rows: readonly Heartbeat[], again: () => void): void => {
  useEffect(() => {
    const at = nextLate(rows);
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
  }, [rows]);
};
