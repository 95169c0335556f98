import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useStoredData, type Loaded } from '../session/loaded.ts';
import { onStreamEvent, streamOpened } from './live.ts';
import type { StreamedChange } from './stream-events.ts';

/** Data that is loaded once and then updated from the event stream. */
export interface LiveSource<T> {
  load: (signal: AbortSignal) => Promise<T>;
  /** resource types that the data depends on (docs/reference/events.md#who-gets-which-changes) */
  resources: readonly string[];
  /** applies changes to the data; returns null if the data must be reloaded */
  merge: (value: T, changes: readonly StreamedChange[]) => T | null;
}

/** Minimum interval between reloads caused by changes, in milliseconds. */
const RELOAD_MS = 2_000;

/**
 * Loads data and keeps it up to date while a component is shown.
 *
 * @param source loaded again whenever one of `inputs` or the shown moment changes
 * @returns the data; `again`, which reloads the data; and `change`, which updates the data optimistically before the
 * stream confirms the change
 */
export const useLive = <T>(
  source: LiveSource<T>,
  inputs: readonly unknown[],
): { loaded: Loaded<T>; again: () => void; change: (how: (value: T) => T) => void } => {
  const data = useStoredData<T>();
  const round = useSignal(0);
  const { past } = data;
  useEffect(() => {
    const leaving = new AbortController();
    let early: StreamedChange[] | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let begun = 0;

    const load = async (): Promise<void> => {
      begun = Date.now();
      early = [];
      try {
        await streamOpened();
        let value: T = await source.load(leaving.signal);
        if (leaving.signal.aborted) return;
        const changes = early;
        early = null;
        const merged = changes.length === 0 ? value : source.merge(value, changes);
        if (merged === null) reload();
        else value = merged;
        data.set({ status: 'loaded', value });
      } catch (error) {
        if (leaving.signal.aborted) return;
        early = null;
        data.fail(error);
      }
    };
    const reload = (): void => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          if (early !== null) reload();
          else void load();
        },
        Math.max(0, begun + RELOAD_MS - Date.now()),
      );
    };
    const deaf = onStreamEvent((news) => {
      // A past state does not change, so ignore the event.
      if (past !== null) return;
      if (news.kind === 'reset') {
        if (news.resources?.some((one) => source.resources.includes(one)) ?? true) reload();
        return;
      }
      if (news.kind === 'open') {
        if (data.peek().status === 'failed') reload();
        return;
      }
      const changes = news.changes.filter(({ resource }) => source.resources.includes(resource));
      if (changes.length === 0) return;
      if (early !== null) early.push(...changes);
      const now = data.peek();
      if (now.status !== 'loaded') {
        if (early === null) reload();
        return;
      }
      const merged = source.merge(now.value, changes);
      if (merged !== null) data.set({ status: 'loaded', value: merged });
      else if (early === null) reload();
    });
    void load();
    return () => {
      leaving.abort();
      clearTimeout(timer);
      deaf();
    };
  }, [...inputs, past, round.value]);
  return {
    loaded: data.loaded,
    again: () => {
      round.value += 1;
    },
    change: (how) => {
      const now = data.peek();
      if (now.status === 'loaded') data.set({ status: 'loaded', value: how(now.value) });
    },
  };
};
