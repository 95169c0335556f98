import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { useFrozen } from '../../parts/rows/frozen.ts';
import { Link } from '../../parts/link.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Panel } from '../../parts/panel.tsx';
import { usePeople } from '../../parts/people.ts';
import { isSameOrder, neighbourOf, rangeOf, toggled } from '../../parts/rows/selection.ts';
import { Toast } from '../../parts/overlays/toast.tsx';
import { navigate } from '../../router/router.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { canApply, MOST_AT_ONCE, type Action } from './actions.ts';
import { BulkBar } from './bulk-bar.tsx';
import { SEARCH_ID } from './filter-bar.tsx';
import { filterOf, PAGE_SIZE, alertListPath, type Filter } from './filter.ts';
import { useKeys } from './keys.ts';
import { orderOf, type AlertPage } from './page.ts';
import { Table } from './table.tsx';
import { useWork } from './work.ts';

export interface ListProps {
  page: AlertPage;
  filter: Filter;
  /** updates the display before the stream confirms the change */
  change: (how: (page: AlertPage) => AlertPage) => void;
}

const NONE: ReadonlySet<string> = new Set();
const TOAST_MS = 5_000;

/** An action that waits for the user's confirmation; `all`: on all alerts that match the filter. */
type PendingAction = { action: Action; ids: readonly string[] | 'all' } | null;

/** A page of alerts with selection and actions. */
export const List = ({ page, filter, change }: ListProps): JSX.Element => {
  const at = alertListPath(filter);
  const wanted = useMemo(() => orderOf(page, filter), [page, at]);
  const { shown: order, isOutdated, setFrozen, refresh } = useFrozen(wanted, [at], isSameOrder);
  const selected = useSignal(NONE);
  const isAll = useSignal(false);
  const anchor = useSignal<string | null>(null);
  const cursor = useSignal<string | null>(null);
  const asked = useSignal<PendingAction>(null);
  const work = useWork(filter, change);
  const people = usePeople(
    order.flatMap((id) => {
      const row = page.rows.get(id);
      return row ? [row.acknowledged_by_id, row.resolved_by_id] : [];
    }),
  );
  const writes = may('POST /v1/alerts/bulk');
  const { alerts: says } = words.value;

  const { rows, total } = page;
  const present = order.filter((id) => rows.has(id));
  // Selected alerts that the filter hides are excluded, so that no action changes an alert that the user can't see.
  const chosen = new Set(present.filter((id) => selected.value.has(id)));
  const openTo = (action: Action, ids: Iterable<string>): string[] =>
    [...ids].filter((id) => {
      const row = rows.get(id);
      return row !== undefined && canApply(row, action);
    });
  const clear = (): void => {
    selected.value = NONE;
    isAll.value = false;
  };
  const select = (id: string, isRange: boolean): void => {
    isAll.value = false;
    selected.value = isRange ? new Set([...chosen, ...rangeOf(order, anchor.value, id)]) : toggled(chosen, id);
    anchor.value = id;
  };
  const selectAll = (): void => {
    isAll.value = false;
    selected.value = chosen.size === present.length ? NONE : new Set(present);
  };
  const apply = ({ action, ids }: NonNullable<PendingAction>): void => {
    if (ids === 'all') work.applyToMatching(action);
    else work.apply(ids, action);
    clear();
  };
  /** Asks for confirmation before several alerts are resolved, because resolving alerts notifies the channels. */
  const ask = (wanted: NonNullable<PendingAction>): void => {
    if (wanted.action === 'resolve') asked.value = wanted;
    else apply(wanted);
  };
  const current = cursor.value !== null && rows.has(cursor.value) ? [cursor.value] : [];
  useKeys({
    move: (by) => {
      cursor.value = neighbourOf(order, cursor.value, by);
    },
    open: () => {
      for (const id of current) navigate(`/alerts/${id}`);
    },
    filter: () => document.getElementById(SEARCH_ID)?.focus(),
    leave: clear,
    select: (isRange) => {
      for (const id of current) select(id, isRange);
    },
    selectAll,
    acknowledge: () => {
      if (isAll.value) work.applyToMatching('acknowledge');
      else work.apply(openTo('acknowledge', chosen.size > 0 ? chosen : current), 'acknowledge');
      if (chosen.size > 0) clear();
    },
    writes,
  });

  const count = isAll.value ? total : chosen.size;
  return (
    <>
      <div class="list-line fine" role="status">
        {says.matches(total)}
        {isOutdated && (
          <button class="button" onClick={refresh}>
            {says.listChanged}
          </button>
        )}
      </div>
      {work.failure && <FailureLine failure={work.failure} />}
      {order.length === 0 ? (
        <EmptyList filter={filter} />
      ) : (
        <Table
          rows={rows}
          order={order}
          people={people}
          selected={chosen}
          cursor={cursor.value}
          writes={writes}
          busy={work.busy}
          onSelect={select}
          onSelectAll={selectAll}
          onAcknowledge={(id) => {
            work.apply([id], 'acknowledge');
          }}
          onHold={setFrozen}
        />
      )}
      <Pager
        pagination={{ page: filter.page, total_pages: Math.ceil(total / PAGE_SIZE), total_items: total }}
        onPage={(next) => {
          navigate(alertListPath({ ...filter, page: next }));
        }}
      />
      {count > 0 && (
        <BulkBar
          count={count}
          matches={total}
          isAll={isAll.value}
          busy={work.busy}
          open={(action) => isAll.value || openTo(action, chosen).length > 0}
          onAction={(action) => {
            ask({ action, ids: isAll.value ? 'all' : openTo(action, chosen) });
          }}
          onSelectMatching={() => {
            selected.value = new Set(present);
            isAll.value = true;
          }}
          onClear={clear}
        />
      )}
      {work.done && (
        <Toast key={work.done.number} ms={TOAST_MS} onClose={work.forget}>
          <span>{work.done.text}</span>
        </Toast>
      )}
      {asked.value && (
        <ConfirmDialog
          title={says.resolveTitle(asked.value.ids === 'all' ? Math.min(total, MOST_AT_ONCE) : asked.value.ids.length)}
          text={says.resolveText}
          action={says.resolve}
          onConfirm={async () => {
            if (asked.value) apply(asked.value);
          }}
          onClose={() => {
            asked.value = null;
          }}
        />
      )}
    </>
  );
};

/** Shown if there are no alerts, or if none of them matches the filter. */
const EmptyList = ({ filter }: { filter: Filter }): JSX.Element => {
  const { alerts: says, alertRules } = words.value;
  const bare = filterOf(new URLSearchParams());
  const isBare = alertListPath(filter) === alertListPath(bare);
  return isBare ? (
    <Panel title={says.none} text={says.noneText}>
      <Link to="/alerts/rules" class="button">
        {alertRules.title}
      </Link>
      <Link to={alertListPath({ ...bare, status: 'resolved' })} class="button quiet">
        {says.filters.resolved}
      </Link>
    </Panel>
  ) : (
    <div class="nothing">
      <p>{says.noMatch}</p>
      <Link to={alertListPath({ ...bare, status: 'all' })} class="button">
        {says.showAll}
      </Link>
    </div>
  );
};
