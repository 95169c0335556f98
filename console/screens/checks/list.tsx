import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Toast } from '../../parts/overlays/toast.tsx';
import { navigate } from '../../router/router.ts';
import { SavedViews } from '../../saved-views/saved-views.tsx';
import { mayWrite } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { BulkBar } from './bulk-bar.tsx';
import { queryOf, useFilterLine, VIEWS } from './filter-line.ts';
import { withStatus } from './filter.ts';
import { useKeys } from './keys.ts';
import { neighbourOf, rangeOf, toggled } from '../../parts/rows/selection.ts';
import { useShownOrder } from './shown-order.ts';
import type { Rows } from './source.ts';
import { StateCounters } from './state-counters.tsx';
import { Table } from './table.tsx';
import { useWork } from './work.ts';

export interface ListProps {
  rows: Rows;
  /** updates the display before the stream confirms the change */
  change: (how: (rows: Rows) => Rows) => void;
}

const NONE: ReadonlySet<string> = new Set();

/** The list of checks, with a filter, a selection and actions. */
export const List = ({ rows, change }: ListProps): JSX.Element => {
  const { line, found, set: filterBy } = useFilterLine();
  const { shown: order, isOutdated, setFrozen, refresh } = useShownOrder(rows, line, found);
  const selected = useSignal(NONE);
  const anchor = useSignal<string | null>(null);
  const cursor = useSignal<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const work = useWork(change);
  const writes = mayWrite();
  const { checks: says } = words.value;

  // Selected checks that are deleted or hidden by the filter are excluded, so that no action changes a check that the
  // user can't see.
  const inOrder = new Set(order);
  const chosen = new Set([...selected.value].filter((id) => rows.has(id) && inOrder.has(id)));
  const present = order.filter((id) => rows.has(id));
  const select = (id: string, isRange: boolean): void => {
    selected.value = isRange ? new Set([...chosen, ...rangeOf(order, anchor.value, id)]) : toggled(chosen, id);
    anchor.value = id;
  };
  const clear = (): void => {
    selected.value = NONE;
  };
  const selectAll = (): void => {
    selected.value = chosen.size === present.length ? NONE : new Set(present);
  };
  /** Pauses the checks, or resumes them if all of them are paused. */
  const pause = (ids: readonly string[]): void => {
    if (ids.length > 0) work.apply(ids, { active: ids.every((id) => rows.get(id)?.active === false) });
  };
  const current = cursor.value !== null && rows.has(cursor.value) ? [cursor.value] : [];
  useKeys({
    move: (by) => {
      cursor.value = neighbourOf(order, cursor.value, by);
    },
    open: () => {
      if (current[0] !== undefined) navigate(`/checks/${current[0]}`);
    },
    select: (isRange) => {
      if (writes) for (const id of current) select(id, isRange);
    },
    selectAll: () => {
      if (writes) selectAll();
    },
    pause: () => {
      if (writes) pause(chosen.size > 0 ? [...chosen] : current);
    },
    run: () => {
      if (writes) for (const id of current) work.run(id);
    },
    edit: () => {
      if (writes && current[0] !== undefined) navigate(`/checks/${current[0]}/edit`);
    },
    create: () => {
      if (writes) navigate('/checks/new');
    },
    filter: () => field.current?.focus(),
    leave: clear,
    writes,
  });

  return (
    <>
      <StateCounters
        rows={rows}
        line={line}
        onChoose={(status) => {
          filterBy(withStatus(line, status));
        }}
      />
      <div class="filter" role="search">
        <input
          ref={field}
          type="search"
          value={line}
          onInput={({ currentTarget }) => {
            filterBy(currentTarget.value);
          }}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape') currentTarget.blur();
          }}
          placeholder={says.filterExample}
          aria-label={says.filter}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <SavedViews {...VIEWS} query={queryOf(line)} />
        <span class="fine" role="status">
          {says.matches(present.length)}
        </span>
        {isOutdated && (
          <button class="button" onClick={refresh}>
            {says.orderChanged}
          </button>
        )}
      </div>
      {work.failure && <FailureLine failure={work.failure} />}
      {order.length === 0 ? (
        <div class="nothing">
          <p>{says.noMatch}</p>
          <button
            class="button"
            onClick={() => {
              filterBy('');
            }}
          >
            {says.showAll}
          </button>
        </div>
      ) : (
        <Table
          rows={rows}
          order={order}
          selected={chosen}
          cursor={cursor.value}
          selectable={writes}
          onSelect={select}
          onSelectAll={selectAll}
          onHold={setFrozen}
        />
      )}
      {chosen.size > 0 && (
        <BulkBar
          count={chosen.size}
          matches={present.length}
          busy={work.busy}
          onChange={(wanted) => {
            work.apply([...chosen], wanted);
            if (wanted.delete) clear();
          }}
          onSelectAll={selectAll}
          onClear={clear}
        />
      )}
      {work.done && (
        <Toast key={work.done.number} ms={work.done.ms} onClose={work.forget}>
          <span>{work.done.text}</span>
          {work.done.undo && (
            <button class="button" onClick={work.done.undo}>
              {says.undo}
            </button>
          )}
        </Toast>
      )}
    </>
  );
};
