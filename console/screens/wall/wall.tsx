import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Schemas } from '../../api/openapi.d.ts';
import { stateOfImpact, StateIcon } from '../../../views/status/state.tsx';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import { numberFormat } from '../../parts/number-format.ts';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Link } from '../../parts/link.tsx';
import { Since } from '../../parts/times/since.tsx';
import { call } from '../../session/call.ts';
import { language, words } from '../../shell/language.ts';
import { StaleBadge } from '../../shell/stale-badge.tsx';
import { ALERTS, HEARTBEATS, INCIDENTS } from '../overview/sources.ts';
import { useFitting } from './fitting.ts';
import { useKeepAwake } from './keep-awake.ts';
import { tilesOf, type Tile } from './tiles.ts';

/** Maximum number of failing checks that are loaded. No wall display shows more. */
const MOST = 60;

export interface FailingChecks {
  failing: readonly Schemas['OverviewRow'][];
  counts: { down: number; up: number; pending: number; paused: number };
}

const CHECKS: LiveSource<FailingChecks> = {
  load: async (signal) => {
    const query = { status: ['down'] as const, page_size: MOST };
    const { checks, counts } = await call('GET /v1/checks/overview', { query }, { signal });
    return { failing: checks, counts };
  },
  resources: ['check', 'check_group'],
  merge: () => null,
};

/** The current problems, readable from a distance, for a wall display without mouse and keyboard. */
const Wall = (): JSX.Element => {
  const sources = {
    checks: useLive(CHECKS, []),
    alerts: useLive(ALERTS, []),
    heartbeats: useLive(HEARTBEATS, []),
    incidents: useLive(INCIDENTS, []),
  };
  const title = words.value.screens.wall;
  useKeepAwake();
  useEffect(() => {
    document.title = `${title} · Uptrail`;
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'f' && !event.ctrlKey && !event.metaKey) void document.documentElement.requestFullscreen();
    };
    addEventListener('keydown', leave);
    return () => {
      removeEventListener('keydown', leave);
    };
  }, [title]);
  const valueOf = <T,>({ loaded }: { loaded: { status: string; value?: T | null } }): T | null => loaded.value ?? null;
  return (
    <main class="wall">
      <h1 class="hidden">{title}</h1>
      <LoadedView of={sources.checks}>
        {(checks) => (
          <Board
            checks={checks}
            alerts={valueOf(sources.alerts)?.count ?? 0}
            heartbeats={valueOf(sources.heartbeats) ?? []}
            incidents={valueOf(sources.incidents)?.incidents ?? []}
          />
        )}
      </LoadedView>
      <footer>
        <StaleBadge />
        <Clock />
        <Link to="/">{words.value.wall.leave}</Link>
      </footer>
    </main>
  );
};
export default Wall;

export interface BoardProps {
  checks: FailingChecks;
  /** number of open alerts */
  alerts: number;
  heartbeats: readonly Schemas['HeartbeatRow'][];
  incidents: Parameters<typeof tilesOf>[0]['incidents'];
}

const Board = ({ checks, alerts, heartbeats, incidents }: BoardProps): JSX.Element => {
  const says = words.value.wall;
  const numbers = numberFormat(language.value);
  const tiles = tilesOf({ failing: checks.failing, heartbeats, incidents });
  const fitting = useFitting();
  const hidden = Math.max(0, checks.counts.down - checks.failing.length) + Math.max(0, tiles.length - fitting);
  const { states } = words.value;
  const counters: [string, number, 'major' | 'degraded' | 'operational' | 'none'][] = [
    [states.down, checks.counts.down, 'major'],
    [says.alerts, alerts, 'major'],
    [says.late, heartbeats.length, 'degraded'],
    [says.incidents, incidents.length, 'degraded'],
    [states.up, checks.counts.up, 'operational'],
    [states.paused, checks.counts.paused, 'none'],
  ];
  return (
    <>
      <ul class="wall-counts">
        {counters.map(([label, count, state]) => (
          <li key={label} class={`state-${count === 0 ? 'none' : state}`}>
            <strong>{numbers.format(count)}</strong>
            <span>{label}</span>
          </li>
        ))}
      </ul>
      {tiles.length === 0 ? (
        <section class="wall-calm state-operational">
          <StateIcon state="operational" />
          <h2>{words.value.overview.allUp}</h2>
        </section>
      ) : (
        <ul class="wall-tiles">
          {tiles.slice(0, fitting).map((tile) => (
            <WallTile key={tile.key} tile={tile} />
          ))}
        </ul>
      )}
      {hidden > 0 && <p class="wall-more">{says.more(hidden)}</p>}
    </>
  );
};

const WallTile = ({ tile }: { tile: Tile }): JSX.Element => {
  const { states, overview, incidentStatuses } = words.value;
  const text = (): string => {
    if (tile.kind === 'check') return tile.message ?? states.down;
    if (tile.kind === 'heartbeat') return tile.isDown ? states.down : overview.late;
    return (incidentStatuses as Record<string, string>)[tile.status] ?? tile.status;
  };
  const state =
    tile.kind === 'incident'
      ? stateOfImpact(tile.impact)
      : tile.kind === 'heartbeat' && !tile.isDown
        ? 'degraded'
        : 'major';
  return (
    <li class={`state-${state}`}>
      <h2>
        <StateIcon state={state} /> <bdi>{tile.name}</bdi>
      </h2>
      <p>
        <bdi>{text()}</bdi>
      </p>
      {tile.since !== null && (
        <p class="since">
          <Since instant={tile.since} />
        </p>
      )}
    </li>
  );
};

/** A clock. It shows readers that the display has not frozen. */
const Clock = (): JSX.Element => {
  const now = useSignal(new Date());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) now.value = new Date();
    }, 1_000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return (
    <time class="clock" dateTime={now.value.toISOString()}>
      {new Intl.DateTimeFormat(language.value, { timeStyle: 'medium' }).format(now.value)}
    </time>
  );
};
