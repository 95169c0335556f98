import type { JSX } from 'preact';
import { StateIcon } from '../../../views/status/state.tsx';
import { Link } from '../../parts/link.tsx';
import { Since } from '../../parts/times/since.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { ManagedBadge } from '../../parts/managed.tsx';
import { language, words } from '../../shell/language.ts';
import type { Row } from './filter.ts';
import { stateOf, timeText, uptimeText } from './figures.ts';

interface TableRowProps {
  id: string;
  /** null: the check was deleted, but its row stays until rows are allowed to move */
  row: Row | null;
  /** index among all rows, from 1 */
  place: number;
  isSelected: boolean;
  isCurrent: boolean;
  selectable: boolean;
  onSelect: (id: string, isRange: boolean) => void;
}

const COLUMNS = 7;

/** A row of the check table. */
export const TableRow = (props: TableRowProps): JSX.Element => {
  const { id, row, place, isSelected, isCurrent, selectable, onSelect } = props;
  const { checks: says, states } = words.value;
  if (!row) {
    return (
      <tr data-id={id} aria-rowindex={place} class="deleted">
        <td colSpan={COLUMNS + Number(selectable)}>{says.deleted}</td>
      </tr>
    );
  }
  return (
    <tr data-id={id} aria-rowindex={place} class={isCurrent ? 'current' : undefined} data-selected={isSelected}>
      {selectable && (
        <td class="pick">
          <input
            type="checkbox"
            aria-label={`${says.select}: ${row.name}`}
            checked={isSelected}
            onClick={(event) => {
              onSelect(id, event.shiftKey);
            }}
          />
        </td>
      )}
      <th scope="row" class="name">
        <StateIcon state={stateOf(row.status)} />
        <span class="hidden">{states[row.status]}</span>
        <Link to={`/checks/${id}`}>
          <bdi>{row.name}</bdi>
        </Link>
        {row.tags.length > 0 && <span class="tags">{row.tags.join(' ')}</span>}
        <ManagedBadge of={row} />
      </th>
      <td class="type">{row.type}</td>
      <td class="message">
        {row.status === 'down' ? <bdi title={row.error_message ?? ''}>{row.error_message}</bdi> : states[row.status]}
      </td>
      <td class="hours">
        <Sparkline hours={row.hours} failed={row.failed_hours} />
      </td>
      <td class="number since">{row.since !== null && <Since instant={row.since} />}</td>
      <td class="number time">{timeText(row.response_time, language.value)}</td>
      <td class="number uptime">{uptimeText(row.uptime_30d, language.value)}</td>
    </tr>
  );
};
