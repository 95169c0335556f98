import { useEffect } from 'preact/hooks';
import type { Runner } from './source.ts';

/** Minimum interval between two reads, in milliseconds. */
const EVERY_MS = 30_000;

/**
 * Reads the runners periodically while at least one of them is connected. This is necessary because the event stream
 * does not report the load and the last contact of runners. Nothing is read while the tab is hidden.
 */
export const useRunnerRefresh = (runners: readonly Runner[], again: () => void): void => {
  useEffect(() => {
    if (!runners.some(({ state }) => state === 'connected')) return;
    const due = Date.now() + EVERY_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      clearTimeout(timer);
      if (!document.hidden) timer = setTimeout(again, Math.max(0, due - Date.now()));
    };
    wait();
    document.addEventListener('visibilitychange', wait);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wait);
    };
  }, [runners]);
};
