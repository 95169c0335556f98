import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Failure } from '../../api/failure.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import type { Check, LoadedCheck } from './source.ts';

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
  isDeletion: boolean;
}

export interface Actions {
  busy: boolean;
  failure: Failure | null;
  done: CompletedAction | null;
  pause: () => void;
  /** mutes alerts for this many seconds; null: unmutes them */
  mute: (seconds: number | null) => void;
  remove: () => Promise<void>;
  restore: () => void;
  forget: () => void;
}

/** Performs actions on a check. @param show updates the display before the stream confirms the change */
export const useActions = (check: Check, show: (how: (known: LoadedCheck) => LoadedCheck) => void): Actions => {
  const busy = useSignal(0);
  const failure = useSignal<Failure | null>(null);
  const done = useSignal<CompletedAction | null>(null);
  const count = useRef(0);
  const params = { check_id: check.id };

  const doing = async (work: () => Promise<string>, isDeletion = false): Promise<void> => {
    busy.value += 1;
    failure.value = null;
    try {
      const text = await work();
      done.value = { number: (count.current += 1), text, ms: isDeletion ? UNDO_MS : TOAST_MS, isDeletion };
    } catch (error) {
      failure.value = error as Failure;
    } finally {
      busy.value -= 1;
    }
  };

  const changing = (body: { active?: boolean; muted_until?: string | null }, text: string): void => {
    void doing(async () => {
      const changed = await call('PATCH /v1/checks/{check_id}', { params, body });
      show((known) => ({ ...known, check: changed }));
      return text;
    });
  };

  const { check: says } = words.value;
  return {
    busy: busy.value > 0,
    failure: failure.value,
    done: done.value,
    pause: () => {
      changing({ active: !check.active }, check.active ? says.paused : says.resumed);
    },
    mute: (seconds) => {
      const until = seconds === null ? null : new Date(Date.now() + seconds * 1_000).toISOString();
      changing({ muted_until: until }, until === null ? says.unmuted : says.muted);
    },
    remove: () =>
      doing(async () => {
        await call('DELETE /v1/checks/{check_id}', { params });
        show((known) => ({ ...known, isDeleted: true }));
        return says.wasDeleted;
      }, true),
    restore: () => {
      done.value = null;
      void doing(async () => {
        const restored = await call('POST /v1/checks/{check_id}/restore', { params });
        show(() => ({ check: restored, isDeleted: false }));
        return says.wasRestored;
      });
    },
    forget: () => {
      done.value = null;
    },
  };
};
