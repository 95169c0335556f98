import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Failure } from '../../api/failure.ts';

/** The state of a form submission. */
export interface Submit {
  /** error of the last submission; null: none */
  failure: ReadonlySignal<Failure | null>;
  busy: ReadonlySignal<boolean>;
  /**
   * the API's error message for a field, by its dotted path in the body: `parameters.url`; null: none. Messages for
   * fields that no part of the form queries are shown at the head of the form
   */
  problemOf: (path: string) => string | null;
  /** error messages for fields that no part of the form shows */
  others: () => string[];
  /** Submits, one submission at a time. @returns whether it succeeded */
  send: (work: () => Promise<void>) => Promise<boolean>;
  /** clears the error of the last submission */
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
