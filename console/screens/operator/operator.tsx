import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Failure } from '../../api/failure.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { StatePill } from '../../../views/status/state.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { numberFormat } from '../../parts/formats.ts';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { durationOf, Since } from '../../parts/since.tsx';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { language, words } from '../../shell/language.ts';
import { attentionOf, bytesText, stateOfModel } from './figures.ts';

type State = Schemas['ServiceState'];

/** How the service is, for whoever runs it. */
const Operator = (): JSX.Element => {
  const loaded = useLoaded((signal) => call('GET /v1/operator', {}, { signal }), []);
  const says = words.value.operator;
  return (
    <>
      <ScreenHead title={words.value.screens.operator}>
        <button class="button" onClick={loaded.again}>
          {says.refresh}
        </button>
      </ScreenHead>
      <LoadedView of={loaded}>
        {(state) => (
          <div class="operator">
            <Attention state={state} />
            <Settings settings={state.settings} />
            <ReadModels models={state.read_models} />
            <Queues queues={state.queues} runners={state.runners} />
            <Reactors reactors={state.reactors} />
            <DeadLetters letters={state.dead_letters} again={loaded.again} />
            <Storage state={state} />
          </div>
        )}
      </LoadedView>
    </>
  );
};
export default Operator;

const Part = ({ title, children }: { title: string; children: ComponentChildren }): JSX.Element => {
  const id = useId();
  return (
    <section class="card-section whole" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
};

/** What is wrong at the moment. */
const Attention = ({ state }: { state: State }): JSX.Element => {
  const says = words.value.operator;
  const wrong = attentionOf(state.parts);
  return (
    <Part title={says.health}>
      {wrong.length === 0 ? (
        <p>
          <StatePill state="operational" label={says.allWell} />
        </p>
      ) : (
        <ul class="attention">
          {wrong.map(({ name, state: how, message, ready }) => (
            <li key={name}>
              <StatePill state={ready ? 'degraded' : 'major'} label={how} />
              <span>
                <strong>{name}</strong> {message !== null && <bdi class="hint">{message}</bdi>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
};

/** What is not configured, with what to set. */
const Settings = ({ settings }: { settings: State['settings'] }): JSX.Element => {
  const says = words.value.operator;
  const rows = [...settings].sort((one, other) => Number(one.configured) - Number(other.configured));
  return (
    <Part title={says.settings}>
      <DataTable
        label={says.settings}
        keyOf={({ feature }) => feature}
        rows={rows}
        columns={[
          {
            name: 'feature',
            label: says.feature,
            kind: 'key',
            cell: ({ feature }) => says.features[feature],
          },
          {
            name: 'state',
            label: words.value.people.status,
            cell: ({ configured }) => (
              <StatePill state={configured ? 'operational' : 'none'} label={configured ? says.on : says.off} />
            ),
          },
          {
            name: 'variables',
            label: says.variables,
            cell: ({ variables }) =>
              variables.map((variable) => (
                <>
                  <code key={variable}>{variable}</code>{' '}
                </>
              )),
          },
        ]}
      />
    </Part>
  );
};

const ReadModels = ({ models }: { models: State['read_models'] }): JSX.Element => {
  const says = words.value.operator;
  const numbers = numberFormat(language.value);
  return (
    <Part title={says.readModels}>
      <DataTable
        label={says.readModels}
        keyOf={({ name }) => name}
        rows={models}
        columns={[
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
        ]}
      />
    </Part>
  );
};

const Queues = ({ queues, runners }: Pick<State, 'queues' | 'runners'>): JSX.Element => {
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
            { name: 'region', label: says.region, kind: 'key', cell: ({ region }) => region },
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
            <dt>{region}</dt>
            <dd>{types.length === 0 ? says.noRunner : types.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </Part>
  );
};

const Reactors = ({ reactors }: { reactors: State['reactors'] }): JSX.Element => {
  const says = words.value.operator;
  const numbers = numberFormat(language.value);
  return (
    <Part title={says.reactors}>
      {reactors === null ? (
        <p class="hint">{says.unreadable}</p>
      ) : (
        <DataTable
          label={says.reactors}
          keyOf={({ name }) => name}
          rows={reactors}
          columns={[
            { name: 'name', label: words.value.common.name, kind: 'key', cell: ({ name }) => <code>{name}</code> },
            {
              name: 'state',
              label: words.value.people.status,
              cell: ({ state }) => (
                <StatePill
                  state={state === 'active' ? 'operational' : state === 'halted' ? 'major' : 'none'}
                  label={state}
                />
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
              cell: ({ oldest_seconds }) =>
                oldest_seconds === null ? '–' : durationOf(oldest_seconds, language.value),
            },
          ]}
        />
      )}
    </Part>
  );
};

const DeadLetters = ({ letters, again }: { letters: State['dead_letters']; again: () => void }): JSX.Element => {
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

const Storage = ({ state: { disk, artifacts } }: { state: State }): JSX.Element => {
  const says = words.value.operator;
  const numbers = numberFormat(language.value);
  return (
    <Part title={says.storage}>
      <dl class="facts">
        <div>
          <dt>{says.disk}</dt>
          <dd>
            {disk === null
              ? says.unknownDisk
              : says.freeOf(bytesText(disk.free_bytes, language.value), bytesText(disk.total_bytes, language.value))}
            {disk !== null && (
              <meter min={0} max={disk.total_bytes} value={disk.total_bytes - disk.free_bytes} aria-label={says.disk} />
            )}
          </dd>
        </div>
        <div>
          <dt>{says.artifacts}</dt>
          <dd>
            {artifacts === null
              ? says.unreadable
              : `${bytesText(artifacts.bytes, language.value)} · ${says.files(numbers.format(artifacts.files))}`}
          </dd>
        </div>
      </dl>
    </Part>
  );
};
