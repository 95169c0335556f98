import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { StatePill } from '../../../views/status/state.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { numberFormat } from '../../parts/number-format.ts';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { operatesService } from '../../session/session.ts';
import { language, words } from '../../shell/language.ts';
import { DeadLetters } from './dead-letters.tsx';
import { attentionOf, bytesText } from './figures.ts';
import { Part } from './part.tsx';
import { Queues } from './queues.tsx';
import { Reactors } from './reactors.tsx';
import { ReadModels } from './read-models.tsx';

type State = Schemas['ServiceState'];

/** The screen with the state of the service. Users who do not operate the service see a message. */
const Operator = (): JSX.Element =>
  operatesService.value ? <Service /> : <Panel title={words.value.failure.forbidden} />;
export default Operator;

const Service = (): JSX.Element => {
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
            <DeadLetters letters={state.dead_letters} again={loaded.again} />
            <Settings settings={state.settings} />
            <Storage state={state} />
            <Queues queues={state.queues} runners={state.runners} />
            <ReadModels models={state.read_models} />
            <Reactors reactors={state.reactors} />
          </div>
        )}
      </LoadedView>
    </>
  );
};

/** The current problems of the service. */
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

/** Features that are not configured, with the environment variables that configure them. */
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
