import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { windowOf } from '../../parts/rows/row-window.ts';
import { words } from '../../shell/language.ts';
import { TableRow } from './table-row.tsx';
import type { Rows } from './source.ts';

export interface TableProps {
  rows: Rows;
  /** ids of the shown rows, in order; if an id has no row, the check was deleted meanwhile */
  order: readonly string[];
  selected: ReadonlySet<string>;
  /** id of the row that shortcuts act on; null: none yet */
  cursor: string | null;
  /** whether rows can be selected */
  selectable: boolean;
  onSelect: (id: string, isRange: boolean) => void;
  onSelectAll: () => void;
  /** called when the pointer enters or leaves the rows */
  onHold: (isHeld: boolean) => void;
}

/** Row height that is assumed until the first row has been rendered, in pixels. */
const ROW_HEIGHT = 36;

/** The table of checks. Only the visible rows are rendered. */
export const Table = (props: TableProps): JSX.Element => {
  const { rows, order, selected, cursor, selectable } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const height = useSignal(ROW_HEIGHT);
  const window_ = useSignal(windowOf(order.length, ROW_HEIGHT, 0, innerHeight));

  const measure = (): void => {
    if (!body.current) return;
    const next = windowOf(order.length, height.value, -body.current.getBoundingClientRect().top, innerHeight);
    const now = window_.value;
    if (next.first !== now.first || next.end !== now.end || next.below !== now.below || next.above !== now.above)
      window_.value = next;
  };
  useLayoutEffect(() => {
    const row = body.current?.querySelector('tr[data-id]');
    const drawn = row?.getBoundingClientRect().height ?? 0;
    if (drawn > 0 && Math.abs(drawn - height.value) > 0.1) height.value = drawn;
    measure();
  });
  useEffect(() => {
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  });
  useCursor(body, order, cursor, height.value);

  const { checks: says } = words.value;
  const { first, end, above, below } = window_.value;
  const isAll = selected.size > 0 && order.every((id) => selected.has(id));
  return (
    <table class="checks" aria-rowcount={order.length + 1}>
      <thead>
        <tr aria-rowindex={1}>
          {selectable && (
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
          <th scope="col">{says.name}</th>
          <th scope="col" class="type">
            {says.type}
          </th>
          <th scope="col" class="message">
            {says.message}
          </th>
          <th scope="col" class="hours">
            {says.hours}
          </th>
          <th scope="col" class="number since">
            {says.since}
          </th>
          <th scope="col" class="number time">
            {says.responseTime}
          </th>
          <th scope="col" class="number uptime">
            {says.uptime}
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
        <Space height={above} />
        {order.slice(first, end).map((id, index) => (
          <TableRow
            key={id}
            id={id}
            row={rows.get(id) ?? null}
            place={first + index + 2}
            isSelected={selected.has(id)}
            isCurrent={id === cursor}
            selectable={selectable}
            onSelect={props.onSelect}
          />
        ))}
        <Space height={below} />
      </tbody>
    </table>
  );
};

/** A spacer as high as the rows that it replaces. */
const Space = ({ height }: { height: number }): JSX.Element | null =>
  height > 0 ? (
    <tr class="space" aria-hidden="true">
      <td>
        <svg width="1" height={height} />
      </td>
    </tr>
  ) : null;

/** Scrolls the cursor's row into view and focuses it when the cursor moves. */
const useCursor = (
  body: { current: HTMLTableSectionElement | null },
  order: readonly string[],
  cursor: string | null,
  height: number,
): void => {
  // A layout effect moves the focus before the next key press is handled. Otherwise Enter might open the row that had
  // the focus before.
  useLayoutEffect(() => {
    const at = cursor === null ? -1 : order.indexOf(cursor);
    if (at < 0 || !body.current) return;
    const top = body.current.getBoundingClientRect().top + at * height;
    const margin = 2 * height + 48;
    if (top < margin) scrollBy(0, top - margin);
    else if (top + height > innerHeight - margin) scrollBy(0, top + height - innerHeight + margin);
    const focus = (): boolean => {
      const row = [...(body.current?.rows ?? [])].find(({ dataset }) => dataset['id'] === cursor);
      const target = row?.querySelector<HTMLElement>('th a');
      target?.focus({ preventScroll: true });
      return target !== null && target !== undefined;
    };
    if (focus()) return;
    const frame = requestAnimationFrame(focus);
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [cursor]);
};
