import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { failureIn, type Failure } from '../api/failure.ts';
import { usePast } from '../past/past.ts';

/** The loading state of a screen's data. */
export type Loaded<T> =
  | { status: 'loading' }
  | { status: 'loaded'; value: T }
  /** `value`: the previously loaded value, if any */
  | { status: 'failed'; failure: Failure; value: T | null };

/** The loading state of data at the moment that the surrounding screen shows. */
export interface StoredData<T> {
  /** the moment; null: the present */
  past: string | null;
  loaded: Loaded<T>;
  /** returns the current state without a subscription */
  peek: () => Loaded<T>;
  set: (loaded: Loaded<T>) => void;
  /** records a failure, beside the previously loaded value of the same moment */
  fail: (error: unknown) => void;
}

/**
 * Stores data together with its moment. As soon as the screen shows another moment, the data counts as not loaded, so
 * that no state is shown as that of another moment.
 */
export const useStoredData = <T>(): StoredData<T> => {
  const past = usePast();
  const stored = useSignal<{ at: string | null; loaded: Loaded<T> }>({ at: past, loaded: { status: 'loading' } });
  const of = ({ at, loaded }: typeof stored.value): Loaded<T> => (at === past ? loaded : { status: 'loading' });
  const set = (loaded: Loaded<T>): void => {
    stored.value = { at: past, loaded };
  };
  return {
    past,
    loaded: of(stored.value),
    peek: () => of(stored.peek()),
    set,
    fail: (error) => {
      const before = of(stored.peek());
      set({ status: 'failed', failure: failureIn(error), value: before.status === 'loading' ? null : before.value });
    },
  };
};

/**
 * Loads data when a component is shown. Aborts the request when the component is removed.
 *
 * @param load called again whenever one of `inputs` or the shown moment changes, and when `again` is called
 */
export const useLoaded = <T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): { loaded: Loaded<T>; again: () => void } => {
  const data = useStoredData<T>();
  const round = useSignal(0);
  useEffect(() => {
    const leaving = new AbortController();
    load(leaving.signal).then(
      (value) => {
        if (!leaving.signal.aborted) data.set({ status: 'loaded', value });
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) data.fail(error);
      },
    );
    return () => {
      leaving.abort();
    };
  }, [...inputs, data.past, round.value]);
  return {
    loaded: data.loaded,
    again: () => {
      round.value += 1;
    },
  };
};
