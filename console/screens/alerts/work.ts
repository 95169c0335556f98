import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Failure } from '../../api/failure.ts';
import { user } from '../../session/session.ts';
import { words } from '../../shell/language.ts';
import { optimisticRow, changeAlerts, changeMatching, type Action, type Outcome } from './actions.ts';
import type { Filter, Row } from './filter.ts';
import { withRows, type AlertPage } from './page.ts';

export interface Work {
  busy: boolean;
  failure: Failure | null;
  /** text that reports the most recent action, with a number that is unique per action */
  done: { text: string; number: number } | null;
  apply: (ids: readonly string[], action: Action) => void;
  applyToMatching: (action: Action) => void;
  /** removes the message about the most recent action */
  forget: () => void;
}

/**
 * Performs actions on alerts and reports their outcome.
 *
 * @param show updates the display before the stream confirms the change
 */
export const useWork = (filter: Filter, show: (how: (page: AlertPage) => AlertPage) => void): Work => {
  const busy = useSignal(0);
  const failure = useSignal<Failure | null>(null);
  const done = useSignal<Work['done']>(null);
  const count = useRef(0);

  const doing = (action: Action, work: Promise<Outcome>): void => {
    busy.value += 1;
    failure.value = null;
    work
      .then(
        (outcome) => {
          failure.value = outcome.failure;
          const me = user.value?.id ?? '';
          const changed = (page: AlertPage): Row[] =>
            [...page.rows.values()]
              .filter(({ id }) => outcome.done.has(id))
              .map((row) => optimisticRow(row, action, me, new Date()));
          show((page) => withRows(page, changed(page), filter) ?? page);
          const { acknowledgedMany, resolvedMany } = words.value.alerts;
          const say = action === 'acknowledge' ? acknowledgedMany : resolvedMany;
          if (outcome.done.size > 0) done.value = { text: say(outcome.done.size), number: (count.current += 1) };
        },
        (error: unknown) => {
          failure.value = error as Failure;
        },
      )
      .finally(() => {
        busy.value -= 1;
      });
  };

  return {
    busy: busy.value > 0,
    failure: failure.value,
    done: done.value,
    apply: (ids, action) => {
      if (ids.length > 0) doing(action, changeAlerts(ids, action));
    },
    applyToMatching: (action) => {
      doing(action, changeMatching(filter, action));
    },
    forget: () => {
      done.value = null;
    },
  };
};
