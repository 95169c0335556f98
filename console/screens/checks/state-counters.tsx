import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { StateIcon } from '../../../views/status/state.tsx';
import { language, words } from '../../shell/language.ts';
import { stateOf } from './figures.ts';
import { filterOf, type Row } from './filter.ts';
import type { Rows } from './source.ts';

const STATUSES: readonly Row['status'][] = ['down', 'up', 'pending', 'paused'];

export interface StateCountersProps {
  rows: Rows;
  /** the filter line, which may contain a status */
  line: string;
  onChoose: (status: Row['status']) => void;
}

/** The number of checks per status. A click filters by a status; a second click removes that filter. */
export const StateCounters = ({ rows, line, onChoose }: StateCountersProps): JSX.Element => {
  const counts = useMemo(() => {
    const counted = { down: 0, up: 0, pending: 0, paused: 0 };
    for (const { status } of rows.values()) counted[status] += 1;
    return counted;
  }, [rows]);
  const { statuses } = filterOf(line);
  const numbers = new Intl.NumberFormat(language.value);
  return (
    <ul class="counts">
      {STATUSES.map((status) => (
        <li key={status} data-empty={counts[status] === 0}>
          <button
            class={`count state-${stateOf(status)}`}
            aria-pressed={statuses.includes(status)}
            onClick={() => {
              onChoose(status);
            }}
          >
            <StateIcon state={stateOf(status)} />
            <strong>{numbers.format(counts[status])}</strong> {words.value.states[status]}
          </button>
        </li>
      ))}
    </ul>
  );
};
