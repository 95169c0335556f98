import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Failure } from '../../api/failure.ts';

/** How the sending of a form stands. */
export interface Submit {
  /** why it failed last; null: it did not */
  failure: ReadonlySignal<Failure | null>;
  busy: ReadonlySignal<boolean>;
  /**
   * What the API says of a field, by its dotted path in the body: `parameters.url`; null: nothing. Sentences of fields
   * for which no part of the form calls this are shown at its head.
   */
  problemOf: (path: string) => string | null;
  /** sentences of fields that no part of the form shows */
  others: () => string[];
  /** Sends, once at a time. @returns whether it succeeded */
  send: (work: () => Promise<void>) => Promise<boolean>;
  /** takes away what is shown of the last failure */
  clear: () => void;
}

/** Submits a form and maps the errors of the API to its fields. */
export const useSubmit = (): Submit => {
  const failure = useSignal<Failure | null>(null);
  const busy = useSignal(false);
  const shown = useRef(new Set<string>());
  return {
    failure,
    busy,
    problemOf: (path) => {
      shown.current.add(path);
      return failure.value?.fields[path]?.join(' ') ?? null;
    },
    others: () =>
      Object.entries(failure.value?.fields ?? {}).flatMap(([path, sentences]) =>
        shown.current.has(path) ? [] : sentences.map((sentence) => `${path}: ${sentence}`),
      ),
    send: async (work) => {
      if (busy.peek()) return false;
      busy.value = true;
      failure.value = null;
      try {
        await work();
        return true;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failure.value = error;
        return false;
      } finally {
        busy.value = false;
      }
    },
    clear: () => {
      failure.value = null;
    },
  };
};
