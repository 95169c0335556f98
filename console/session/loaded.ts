import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Failure } from '../api/failure.ts';
import { usePast } from '../past/past.ts';

/** The loading state of a screen's data. */
export type Loaded<T> =
  | { status: 'loading' }
  | { status: 'loaded'; value: T }
  /** `value`: the previously loaded value, if any */
  | { status: 'failed'; failure: Failure; value: T | null };

/**
 * Loads data when a component is shown. Aborts the request when the component is removed.
 *
 * @param load called again whenever one of `inputs` or the shown moment changes, and when `again` is called
 */
export const useLoaded = <T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): { loaded: Loaded<T>; again: () => void } => {
  const loaded = useSignal<Loaded<T>>({ status: 'loading' });
  const round = useSignal(0);
  const past = usePast();
  useEffect(() => {
    const leaving = new AbortController();
    load(leaving.signal).then(
      (value) => {
        if (!leaving.signal.aborted) loaded.value = { status: 'loaded', value };
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        const before = loaded.peek();
        const failure = error instanceof Failure ? error : new Failure(0, String(error), {});
        loaded.value = { status: 'failed', failure, value: before.status === 'loading' ? null : before.value };
      },
    );
    return () => {
      leaving.abort();
    };
  }, [...inputs, past, round.value]);
  return {
    loaded: loaded.value,
    again: () => {
      round.value += 1;
    },
  };
};
