import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Link } from '../../parts/link.tsx';
import { Pager } from '../../parts/pager.tsx';
import { ManagedBadge } from '../../parts/managed.tsx';
import { words } from '../../shell/language.ts';
import { stateOf } from './filter.ts';
import type { Heartbeat, HeartbeatPage } from './source.ts';
import { HeartbeatIcon, LastPing, NextPing, ScheduleText } from './state.tsx';

const columns = (): Column<Heartbeat>[] => {
  const { heartbeats: says, common } = words.value;
  return [
    {
      name: 'name',
      label: common.name,
      kind: 'key',
      cell: (row) => (
        <span class="named">
          <HeartbeatIcon heartbeat={row} />
          <span>
            <Link to={`/heartbeats/${row.id}`}>
              <bdi>{row.name}</bdi>
            </Link>
            {row.tags.length > 0 && <span class="tags">{row.tags.join(' ')}</span>}
            <ManagedBadge of={row} />
          </span>
        </span>
      ),
    },
    { name: 'status', label: says.status, cell: (row) => says.states[stateOf(row)] },
    { name: 'schedule', label: says.schedule, cell: (row) => <ScheduleText times={row} /> },
    { name: 'last', label: says.lastPing, kind: 'number', cell: (row) => <LastPing heartbeat={row} /> },
    { name: 'next', label: says.nextPing, kind: 'number', cell: (row) => <NextPing heartbeat={row} /> },
  ];
};

const Section = ({ title, children }: { title: string; children: ComponentChildren }): JSX.Element => {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
};

/** Two tables: the late heartbeats, and all others. */
export const Sections = ({
  listed,
  onPage,
}: {
  listed: HeartbeatPage;
  onPage: (page: number) => void;
}): JSX.Element => {
  const { late, lateCount, rest, pagination } = listed;
  const { heartbeats: says, screens } = words.value;
  const table = (label: string, rows: readonly Heartbeat[]): JSX.Element => (
    <DataTable label={label} columns={columns()} rows={rows} keyOf={({ id }) => id} />
  );
  const others = (
    <>
      {table(late.length > 0 ? says.others : screens.heartbeats, rest)}
      <Pager pagination={pagination} onPage={onPage} />
    </>
  );
  if (late.length === 0) return others;
  return (
    <>
      <Section title={`${says.late} (${lateCount})`}>
        {table(says.late, late)}
        {lateCount > late.length && (
          <p class="fine">
            <Link to="/heartbeats?filter=status:down,grace">{says.matches(lateCount)}</Link>
          </p>
        )}
      </Section>
      {rest.length > 0 && <Section title={says.others}>{others}</Section>}
    </>
  );
};
