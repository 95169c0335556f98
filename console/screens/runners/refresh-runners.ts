import { useEffect } from 'preact/hooks';
import type { Runner } from './source.ts';

/** Minimum interval in milliseconds. */
const EVERY_MS = 30_000;

/**
 * Reads runners periodically while one is connected, because their load and last contact send no events. Nothing is
 * read while the tab is hidden.
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
