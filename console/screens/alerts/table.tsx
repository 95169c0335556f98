import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { words } from '../../shell/language.ts';
import type { Row } from './filter.ts';
import { TableRow } from './table-row.tsx';

export interface TableProps {
  rows: ReadonlyMap<string, Row>;
  /** ids of the shown alerts, in display order */
  order: readonly string[];
  /** e-mail addresses by id */
  people: ReadonlyMap<string, string>;
  selected: ReadonlySet<string>;
  /** id of the alert that shortcuts act on; null: none yet */
  cursor: string | null;
  /** whether the user is allowed to acknowledge and resolve alerts */
  writes: boolean;
  busy: boolean;
  onSelect: (id: string, isRange: boolean) => void;
  onSelectAll: () => void;
  onAcknowledge: (id: string) => void;
  /** called when the pointer enters or leaves the rows */
  onHold: (isHeld: boolean) => void;
}

/** The table of alerts: what failed, how severe it is, since when it has been active, and who is handling it. */
export const Table = (props: TableProps): JSX.Element => {
  const { rows, order, selected, cursor, writes } = props;
  const { alerts: says } = words.value;
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const row = [...(body.current?.rows ?? [])].find(({ dataset }) => dataset['id'] === cursor);
    row?.querySelector<HTMLElement>('a')?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  }, [cursor]);
  const isAll = selected.size > 0 && order.every((id) => selected.has(id));
  return (
    <table class="checks alerts">
      <thead>
        <tr>
          {writes && (
            <th class="pick">
              <input
                type="checkbox"
                aria-label={says.selectAll}
                checked={isAll}
                indeterminate={!isAll && selected.size > 0}
                onChange={props.onSelectAll}
              />
            </th>
          )}
          <th scope="col">{says.alert}</th>
          <th scope="col" class="severity">
            {says.severity}
          </th>
          <th scope="col" class="check">
            {says.check}
          </th>
          <th scope="col" class="number since">
            {says.since}
          </th>
          <th scope="col" class="handling">
            {says.handling}
          </th>
        </tr>
      </thead>
      <tbody
        ref={body}
        onPointerEnter={({ pointerType }) => {
          if (pointerType !== 'touch') props.onHold(true);
        }}
        onPointerLeave={() => {
          props.onHold(false);
        }}
      >
        {order.map((id) => {
          const row = rows.get(id);
          return (
            row && (
              <TableRow
                key={id}
                row={row}
                people={props.people}
                isSelected={selected.has(id)}
                isCurrent={id === cursor}
                writes={writes}
                busy={props.busy}
                onSelect={props.onSelect}
                onAcknowledge={props.onAcknowledge}
              />
            )
          );
        })}
      </tbody>
    </table>
  );
};
