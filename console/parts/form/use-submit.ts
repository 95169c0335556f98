import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Failure } from '../../api/failure.ts';

/** The state of a form submission. */
export interface Submit {
  /** error of the most recent submission; null: none */
  failure: ReadonlySignal<Failure | null>;
  busy: ReadonlySignal<boolean>;
  /**
   * returns the API's error message for a field, by the field's dotted path in the body: `parameters.url`; null: none.
   * If no part of the form calls this function for a path, the message is shown at the head of the form
   */
  problemOf: (path: string) => string | null;
  /** returns the error messages that no part of the form has requested with `problemOf` */
  others: () => string[];
  /**
   * Runs a submission. Does nothing while another submission is in progress.
   *
   * @returns whether the submission succeeded
   */
  send: (work: () => Promise<void>) => Promise<boolean>;
  /** clears the error of the most recent submission */
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
