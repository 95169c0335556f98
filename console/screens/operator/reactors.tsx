import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { StatePill } from '../../../views/status/state.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { numberFormat } from '../../parts/number-format.ts';
import { durationOf } from '../../parts/times/since.tsx';
import { language, words } from '../../shell/language.ts';
import { isBusy } from './figures.ts';
import { Part } from './part.tsx';

type Reactor = NonNullable<Schemas['ServiceState']['reactors']>[number];

/** The items of reactors. Idle reactors are collapsed. */
export const Reactors = ({ reactors }: { reactors: readonly Reactor[] | null }): JSX.Element => {
  const says = words.value.operator;
  const numbers = numberFormat(language.value);
  const columns: Column<Reactor>[] = [
    { name: 'name', label: words.value.common.name, kind: 'key', cell: ({ name }) => <code>{name}</code> },
    {
      name: 'state',
      label: words.value.people.status,
      cell: ({ state }) => (
        <StatePill state={state === 'active' ? 'operational' : state === 'halted' ? 'major' : 'none'} label={state} />
      ),
    },
    {
      name: 'waiting',
      label: says.waiting,
      kind: 'number',
      cell: ({ waiting }) => (waiting === null ? '?' : numbers.format(waiting)),
    },
    {
      name: 'retrying',
      label: says.retrying,
      kind: 'number',
      cell: ({ retrying }) => numbers.format(retrying),
    },
    { name: 'given', label: says.givenUp, kind: 'number', cell: ({ given_up }) => numbers.format(given_up) },
    {
      name: 'oldest',
      label: says.oldest,
      kind: 'number',
      cell: ({ oldest_seconds }) => (oldest_seconds === null ? '–' : durationOf(oldest_seconds, language.value)),
    },
  ];
  const table = (rows: readonly Reactor[]): JSX.Element => (
    <DataTable label={says.reactors} keyOf={({ name }) => name} rows={rows} columns={columns} />
  );
  if (reactors === null)
    return (
      <Part title={says.reactors}>
        <p class="hint">{says.unreadable}</p>
      </Part>
    );
  const busy = reactors.filter(isBusy);
  const idle = reactors.filter((reactor) => !isBusy(reactor));
  return (
    <Part title={says.reactors}>
      {busy.length > 0 && table(busy)}
      {idle.length > 0 && (
        <details>
          <summary>{says.idle(idle.length)}</summary>
          {table(idle)}
        </details>
      )}
    </Part>
  );
};
