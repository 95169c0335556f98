import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Loaded } from '../../session/loaded.ts';
import { StateIcon, type State } from '../../../views/status/state.tsx';
import { useLive } from '../../live/live-data.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { NoChecks } from '../../parts/no-checks.tsx';
import { language, words } from '../../shell/language.ts';
import { AlertsSection, FailingSection, HeartbeatsSection, IncidentsSection } from './sections.tsx';
import { ALERTS, CHECKS, HEARTBEATS, INCIDENTS } from './sources.ts';

/** Returns the loaded value. After a failed reload, returns the previously loaded value. */
const valueOf = <T,>(loaded: Loaded<T>): T | null => (loaded.status === 'loading' ? null : loaded.value);

/** The screen with the current problems: when each of them started, and who is handling it. */
const Overview = (): JSX.Element => {
  const sources = {
    checks: useLive(CHECKS, []),
    alerts: useLive(ALERTS, []),
    heartbeats: useLive(HEARTBEATS, []),
    incidents: useLive(INCIDENTS, []),
  };
  const title = words.value.screens.overview;
  useEffect(() => {
    document.title = `${title} · Uptrail`;
  }, [title]);
  const all = Object.values(sources);
  if (all.some(({ loaded }) => loaded.status === 'loading')) return <Loading />;
  const failed = all.flatMap(({ loaded, again }) =>
    loaded.status === 'failed' ? [{ failure: loaded.failure, again }] : [],
  );
  const checks = valueOf(sources.checks.loaded);
  const alerts = valueOf(sources.alerts.loaded);
  const heartbeats = valueOf(sources.heartbeats.loaded);
  const incidents = valueOf(sources.incidents.loaded);
  const againAll = (): void => {
    for (const { again } of failed) again();
  };
  const [first] = failed;
  if (first && !checks) return <FailurePanel failure={first.failure} again={againAll} />;
  const counts = checks?.counts ?? { down: 0, up: 0, pending: 0, paused: 0 };
  const isCalm =
    failed.length === 0 &&
    counts.down === 0 &&
    alerts?.alerts.length === 0 &&
    heartbeats?.length === 0 &&
    incidents?.incidents.length === 0;
  const isEmpty = counts.down + counts.up + counts.pending + counts.paused === 0;
  if (isCalm && isEmpty) return <NoChecks />;
  return (
    <div class="overview">
      <h1>{title}</h1>
      <Counts {...counts} />
      {first && <FailureLine failure={first.failure} again={againAll} />}
      {isCalm && <Calm />}
      {checks && counts.down > 0 && <FailingSection failing={checks.failing} count={counts.down} />}
      {incidents && incidents.incidents.length > 0 && <IncidentsSection {...incidents} />}
      {alerts && alerts.alerts.length > 0 && <AlertsSection {...alerts} reload={sources.alerts.again} />}
      {heartbeats && heartbeats.length > 0 && <HeartbeatsSection heartbeats={heartbeats} />}
    </div>
  );
};
export default Overview;

const Counts = ({ down, up, pending, paused }: Record<'down' | 'up' | 'pending' | 'paused', number>): JSX.Element => {
  const says = words.value.states;
  const numbers = new Intl.NumberFormat(language.value);
  const all: [number, 'down' | 'up' | 'pending' | 'paused', State][] = [
    [down, 'down', 'major'],
    [up, 'up', 'operational'],
    [pending, 'pending', 'none'],
    [paused, 'paused', 'none'],
  ];
  return (
    <ul class="counts">
      {all.map(([count, status, state]) => (
        <li key={status} data-empty={count === 0}>
          <Link to={`/checks?filter=status:${status}`} class={`count state-${state}`}>
            <StateIcon state={state} />
            <strong>{numbers.format(count)}</strong> {says[status]}
          </Link>
        </li>
      ))}
    </ul>
  );
};

const Calm = (): JSX.Element => {
  const { allUp, allUpText } = words.value.overview;
  return (
    <section class="banner tint-operational">
      <StateIcon state="operational" />
      <div>
        <h2>{allUp}</h2>
        <p>{allUpText}</p>
      </div>
    </section>
  );
};
