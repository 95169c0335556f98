import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Failure } from '../../api/failure.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { changedRows, changeMany, type BulkChange } from './actions.ts';
import type { Rows } from './source.ts';

/**
 * Time for which the console offers to undo a deletion, in milliseconds. This time is one second shorter than the API's
 * limit (docs/reference/checks.md#restore), so that the request arrives before the limit.
 */
const UNDO_MS = 29_000;
const TOAST_MS = 5_000;

/** A completed action that the console confirms to the user. */
interface CompletedAction {
  /** unique number of the action */
  number: number;
  text: string;
  /** how long the confirmation is shown, in milliseconds */
  ms: number;
  undo: (() => void) | null;
}

export interface Work {
  busy: boolean;
  failure: Failure | null;
  done: CompletedAction | null;
  apply: (ids: readonly string[], change: BulkChange) => void;
  run: (check_id: string) => void;
  /** removes the message about the most recent action */
  forget: () => void;
}

/**
 * Performs actions on checks and reports their outcome.
 *
 * @param show updates the display before the stream confirms the change
 */
export const useWork = (show: (how: (rows: Rows) => Rows) => void): Work => {
  const busy = useSignal(0);
  const failure = useSignal<Failure | null>(null);
  const done = useSignal<CompletedAction | null>(null);
  const count = useRef(0);

  const doing = (work: () => Promise<Omit<CompletedAction, 'number'> | null>): void => {
    busy.value += 1;
    failure.value = null;
    work()
      .then(
        (what) => {
          if (what) done.value = { ...what, number: (count.current += 1) };
        },
        (error: unknown) => {
          failure.value = error as Failure;
        },
      )
      .finally(() => {
        busy.value -= 1;
      });
  };

  const restore = (ids: readonly string[]): void => {
    done.value = null;
    doing(async () => {
      const outcome = await changeMany(ids, { restore: true });
      failure.value = outcome.failure;
      return { text: words.value.checks.restored(outcome.done.length), ms: TOAST_MS, undo: null };
    });
  };

  return {
    busy: busy.value > 0,
    failure: failure.value,
    done: done.value,
    apply: (ids, change) => {
      doing(async () => {
        const outcome = await changeMany(ids, change);
        show((rows) => changedRows(rows, outcome.done, change));
        failure.value = outcome.failure;
        const count = outcome.done.length;
        const { checks: says } = words.value;
        if (count === 0) return null;
        if (!change.delete) return { text: says.changed(count), ms: TOAST_MS, undo: null };
        return {
          text: says.deletedMany(count),
          ms: UNDO_MS,
          undo: () => {
            restore(outcome.done);
          },
        };
      });
    },
    run: (check_id) => {
      doing(async () => {
        await call('POST /v1/checks/{check_id}/execute', { params: { check_id } });
        return { text: words.value.checks.started, ms: TOAST_MS, undo: null };
      });
    },
    forget: () => {
      done.value = null;
    },
  };
};
