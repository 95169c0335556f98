import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Failure } from '../../api/failure.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { StatePill } from '../../../views/status/state.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Since } from '../../parts/times/since.tsx';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { Part } from './part.tsx';

/** The dead letters of reactors, with buttons to retry them. */
export const DeadLetters = ({
  letters,
  again,
}: {
  letters: Schemas['ServiceState']['dead_letters'];
  again: () => void;
}): JSX.Element => {
  const says = words.value.operator;
  const failure = useSignal<Failure | null>(null);
  const retry = async (reactor: string, item: string): Promise<void> => {
    failure.value = null;
    try {
      await call('POST /v1/operator/retry', { body: { reactor, item } });
      again();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure.value = error;
    }
  };
  return (
    <Part title={says.deadLetters}>
      {failure.value && <FailureLine failure={failure.value} />}
      {letters === null ? (
        <p class="hint">{says.unreadable}</p>
      ) : letters.length === 0 ? (
        <p class="hint">{says.noDeadLetters}</p>
      ) : (
        <DataTable
          label={says.deadLetters}
          keyOf={({ reactor, item }) => `${reactor} ${item}`}
          rows={letters}
          columns={[
            { name: 'item', label: says.item, kind: 'key', cell: ({ item }) => <code>{item}</code> },
            { name: 'reactor', label: says.reactor, cell: ({ reactor }) => <code>{reactor}</code> },
            {
              name: 'state',
              label: words.value.people.status,
              cell: ({ state }) => (
                <StatePill
                  state={state === 'given_up' ? 'major' : 'degraded'}
                  label={state === 'given_up' ? says.givenUp : says.retrying}
                />
              ),
            },
            { name: 'tries', label: says.tries, kind: 'number', cell: ({ tries }) => tries.toString() },
            { name: 'since', label: says.since, cell: ({ since }) => <Since instant={since} /> },
            { name: 'reason', label: says.reason, kind: 'wide', cell: ({ reason }) => <bdi>{reason}</bdi> },
            {
              name: 'do',
              label: words.value.common.actions,
              kind: 'actions',
              cell: ({ reactor, item }) => (
                <button class="button" aria-label={`${says.retry}: ${item}`} onClick={() => void retry(reactor, item)}>
                  {says.retry}
                </button>
              ),
            },
          ]}
        />
      )}
    </Part>
  );
};
