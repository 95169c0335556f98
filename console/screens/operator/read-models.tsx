import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { StatePill } from '../../../views/status/state.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { numberFormat } from '../../parts/number-format.ts';
import { durationOf } from '../../parts/times/since.tsx';
import { language, words } from '../../shell/language.ts';
import { stateOfModel } from './figures.ts';
import { Part } from './part.tsx';

type Model = Schemas['ServiceState']['read_models'][number];

/** The lag of read models. Read models that are up to date are collapsed. */
export const ReadModels = ({ models }: { models: readonly Model[] }): JSX.Element => {
  const says = words.value.operator;
  const numbers = numberFormat(language.value);
  const columns: Column<Model>[] = [
    { name: 'name', label: words.value.common.name, kind: 'key', cell: ({ name }) => <code>{name}</code> },
    {
      name: 'state',
      label: words.value.people.status,
      cell: (model) => (
        <StatePill state={stateOfModel(model)} label={model.is_rebuilding ? says.building : model.state} />
      ),
    },
    {
      name: 'lag',
      label: says.lag,
      kind: 'number',
      cell: ({ lag_seconds }) =>
        lag_seconds < 1
          ? `${numbers.format(Math.round(lag_seconds * 1_000))} ms`
          : durationOf(lag_seconds, language.value),
    },
    { name: 'position', label: says.position, kind: 'number', cell: ({ position }) => numbers.format(position) },
    {
      name: 'aside',
      label: says.setAside,
      kind: 'number',
      cell: ({ set_aside }) => numbers.format(set_aside),
    },
    { name: 'error', label: says.error, cell: ({ error }) => <bdi>{error ?? ''}</bdi> },
  ];
  const table = (rows: readonly Model[]): JSX.Element => (
    <DataTable label={says.readModels} keyOf={({ name }) => name} rows={rows} columns={columns} />
  );
  const late = models.filter((model) => stateOfModel(model) !== 'operational');
  const current = models.filter((model) => stateOfModel(model) === 'operational');
  return (
    <Part title={says.readModels}>
      {late.length > 0 && table(late)}
      {current.length > 0 && (
        <details>
          <summary>{says.upToDate(current.length)}</summary>
          {table(current)}
        </details>
      )}
    </Part>
  );
};
