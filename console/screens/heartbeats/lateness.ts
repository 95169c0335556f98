import { useEffect } from 'preact/hooks';
import type { Heartbeat } from './source.ts';
import { nextLate } from './times.ts';

/** So often at most, milliseconds: many heartbeats may be expected every minute. */
const LEAST_MS = 30_000;
/** Pings that came in time are stored by then. */
const MARGIN_MS = 2_000;
const MOST_MS = 86_400_000;

/**
 * Reads heartbeats again once a ping of one of them was due: that a heartbeat becomes late is no event, since nothing
 * has happened. Nothing is read while the tab is hidden.
 */
export const useLateness = (rows: readonly Heartbeat[], again: () => void): void => {
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
