import { useEffect } from 'preact/hooks';
import type { Runner } from './source.ts';

/** So often at most, milliseconds. */
const EVERY_MS = 30_000;

/**
 * Reads runners again while one is connected: how many runs are under way and when a runner was last heard of are no
 * events. Nothing is read while the tab is hidden.
 */
export const useFreshness = (runners: readonly Runner[], again: () => void): void => {
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
