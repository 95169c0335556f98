import type { JSX } from 'preact';
import { StateIcon } from '../../../views/status/state.tsx';
import { Link } from '../../parts/link.tsx';
import { stateOfAlert } from '../../parts/severity.ts';
import { durationOf, momentOf, Since } from '../../parts/times/since.tsx';
import { language, words } from '../../shell/language.ts';
import { canApply } from './actions.ts';
import type { Row } from './filter.ts';
import { Handling } from './handling.tsx';

interface TableRowProps {
  row: Row;
  people: ReadonlyMap<string, string>;
  isSelected: boolean;
  isCurrent: boolean;
  writes: boolean;
  busy: boolean;
  onSelect: (id: string, isRange: boolean) => void;
  onAcknowledge: (id: string) => void;
}

/** A row of the alert table. */
export const TableRow = (props: TableRowProps): JSX.Element => {
  const { row, people, isSelected, isCurrent, writes, busy, onSelect, onAcknowledge } = props;
  const { alerts: says, severities } = words.value;
  return (
    <tr data-id={row.id} class={isCurrent ? 'current' : undefined} data-selected={isSelected}>
      {writes && (
        <td class="pick">
          <input
            type="checkbox"
            aria-label={`${says.select}: ${row.title}`}
            checked={isSelected}
            onClick={(event) => {
              onSelect(row.id, event.shiftKey);
            }}
          />
        </td>
      )}
      <th scope="row" class="name">
        <StateIcon state={stateOfAlert(row)} />
        <Link to={`/alerts/${row.id}`}>
          <bdi>{row.title}</bdi>
        </Link>
      </th>
      <td class="severity">{severities[row.severity]}</td>
      <td class="check">
        {row.check_id !== null && (
          <Link to={`/checks/${row.check_id}`}>
            <bdi>{row.check_name}</bdi>
          </Link>
        )}
      </td>
      <td class="number since">
        <Lasting row={row} />
      </td>
      <td class="handling">
        <div>
          <span>
            <Handling alert={row} people={people} />
          </span>
          {writes && canApply(row, 'acknowledge') && (
            <button
              class="button"
              disabled={busy}
              aria-label={`${says.acknowledge}: ${row.title}`}
              onClick={() => {
                onAcknowledge(row.id);
              }}
            >
              {says.acknowledge}
            </button>
          )}
        </div>
      </td>
    </tr>
  );
};

/** Shows how long an alert has been active, or was active before it was resolved. */
export const Lasting = ({ row }: { row: Row }): JSX.Element =>
  row.resolved_at === null ? (
    <Since instant={row.fired_at} />
  ) : (
    <>{durationOf((momentOf(row.resolved_at) - momentOf(row.fired_at)) / 1_000, language.value)}</>
  );
