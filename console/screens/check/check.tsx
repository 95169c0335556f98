import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLive } from '../../live/live-data.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Toast } from '../../parts/overlays/toast.tsx';
import { AsItWas } from '../../past/as-it-was.tsx';
import type { Params } from '../../router/match.ts';
import { currentLocation } from '../../router/router.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { AlertsTab } from './alerts.tsx';
import { useActions } from './actions.ts';
import { FiguresSection } from './figures/figures.tsx';
import { rangeOf } from './figures/ranges.ts';
import { figuresSource } from './figures/source.ts';
import { Head } from './head.tsx';
import { HistoryTab } from './history.tsx';
import { useKeys } from './keys.ts';
import { tabOf } from './query.ts';
import { Regions } from './regions.tsx';
import { ResultsTab } from './results/results.tsx';
import { RunPanel } from './run-panel.tsx';
import { useRun } from './run.ts';
import { checkSource, latestSource, type Check, type LoadedCheck } from './source.ts';

/** The screen of a check: its current state, its statistics and its results. */
const CheckScreen = ({ params }: { params: Params }): JSX.Element => {
  const id = params['check_id'] ?? '';
  return <Detail key={id} id={id} />;
};
export default CheckScreen;

const Detail = ({ id }: { id: string }): JSX.Element => {
  const { loaded, again, change } = useLive(checkSource(id), []);
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'loaded') return <Shown known={loaded.value} change={change} />;
  const { failure, value } = loaded;
  if (failure.status === 404) return <NotFoundPanel to="/checks" label={words.value.check.toChecks} />;
  if (value === null) return <FailurePanel failure={failure} again={again} />;
  return (
    <>
      <FailureLine failure={failure} again={again} />
      <Shown known={value} change={change} />
    </>
  );
};

interface ShownProps {
  known: LoadedCheck;
  change: (how: (known: LoadedCheck) => LoadedCheck) => void;
}

const Shown = ({ known: { check, isDeleted }, change }: ShownProps): JSX.Element => {
  const actions = useActions(check, change);
  const { common, check: says } = words.value;
  const { done } = actions;
  return (
    <>
      {isDeleted ? (
        <Panel title={says.wasDeleted} text={says.wasDeletedText}>
          <p>
            <bdi class="name">{check.name}</bdi>
          </p>
          <Link to="/checks" class="button">
            {says.toChecks}
          </Link>
          <AsItWas />
        </Panel>
      ) : (
        <Content check={check} actions={actions} />
      )}
      {isDeleted && actions.failure && <FailureLine failure={actions.failure} />}
      {done && (
        <Toast key={done.number} ms={done.ms} onClose={actions.forget}>
          <span>{done.text}</span>
          {done.isDeletion && (
            <button class="button" onClick={actions.restore}>
              {common.undo}
            </button>
          )}
        </Toast>
      )}
    </>
  );
};

const Content = ({ check, actions }: { check: Check; actions: ReturnType<typeof useActions> }): JSX.Element => {
  const { query } = currentLocation.value;
  const range = rangeOf(query.get('range'));
  // Incremented after a run on demand, because such a run changes statistics and results without an event of the check.
  const runs = useSignal(0);
  const figures = useLive(figuresSource(check.id, range), [range, runs.value]);
  const latest = useLive(latestSource(check.id), [runs.value]);
  const { run, start, forget } = useRun(check, () => {
    runs.value += 1;
  });
  useKeys(check, { run: start, pause: actions.pause });
  const { check: says } = words.value;
  const measured = figures.loaded.status === 'loading' ? null : figures.loaded.value;
  const results = latest.loaded.status === 'loading' ? null : (latest.loaded.value?.results ?? null);
  const tab = tabOf(query);
  const path = `/checks/${check.id}`;
  return (
    <>
      <Head
        check={check}
        history={measured?.history ?? []}
        results={results ?? []}
        actions={actions}
        isRunning={run?.status === 'running'}
        onRun={start}
      />
      {actions.failure && <FailureLine failure={actions.failure} />}
      {run && <RunPanel run={run} onClose={forget} />}
      <FiguresSection
        loaded={figures.loaded}
        again={() => {
          figures.again();
          latest.again();
        }}
        interval={check.interval}
      />
      <Regions check={check} figures={measured} results={results} />
      <Tabs
        label={says.tabs}
        items={[
          { to: path, label: says.results },
          { to: `${path}?tab=alerts`, label: says.alerts },
          ...(may('GET /v1/audit') ? [{ to: `${path}?tab=history`, label: says.history }] : []),
        ]}
      />
      {tab === 'results' && <ResultsTab check={check} latest={latest.loaded} again={latest.again} />}
      {tab === 'alerts' && <AlertsTab check={check} />}
      {tab === 'history' && may('GET /v1/audit') && <HistoryTab check={check} />}
    </>
  );
};
