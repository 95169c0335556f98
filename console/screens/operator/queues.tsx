import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { numberFormat } from '../../parts/number-format.ts';
import { regionText } from '../../parts/region-text.ts';
import { language, words } from '../../shell/language.ts';
import { Part } from './part.tsx';

/** The queue of each region, and the capabilities of its runners. */
export const Queues = ({ queues, runners }: Pick<Schemas['ServiceState'], 'queues' | 'runners'>): JSX.Element => {
  const says = words.value.operator;
  const numbers = numberFormat(language.value);
  return (
    <Part title={says.queues}>
      {queues === null ? (
        <p class="hint">{says.unreadable}</p>
      ) : queues.length === 0 ? (
        <p class="hint">{says.noQueues}</p>
      ) : (
        <DataTable
          label={says.queues}
          keyOf={({ region }) => region}
          rows={queues}
          columns={[
            { name: 'region', label: says.region, kind: 'key', cell: ({ region }) => <bdi>{regionText(region)}</bdi> },
            { name: 'waiting', label: says.waiting, kind: 'number', cell: ({ waiting }) => numbers.format(waiting) },
            {
              name: 'flight',
              label: says.inFlight,
              kind: 'number',
              cell: ({ in_flight }) => numbers.format(in_flight),
            },
            { name: 'parked', label: says.parked, kind: 'number', cell: ({ parked }) => numbers.format(parked) },
          ]}
        />
      )}
      <h3>{says.runners}</h3>
      <dl class="facts">
        {runners.map(({ region, types }) => (
          <div key={region}>
            <dt>
              <bdi>{regionText(region)}</bdi>
            </dt>
            <dd>{types.length === 0 ? says.noRunner : types.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </Part>
  );
};
