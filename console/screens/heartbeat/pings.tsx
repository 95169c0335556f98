import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { StateIcon, type State } from '../../../views/status/state.tsx';
import type { Schemas } from '../../api/openapi.d.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Pager } from '../../parts/pager.tsx';
import { durationOf, Moment } from '../../parts/times/since.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { numberFormat } from '../../parts/number-format.ts';
import { navigate, currentLocation } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { useLoaded } from '../../session/loaded.ts';
import { language, words } from '../../shell/language.ts';
import { bodyTextOf, summaryOf } from './ping-body.ts';

type Ping = Schemas['Ping'];

const PAGE_SIZE = 25;

const SHAPES: Readonly<Record<Ping['kind'], State>> = { success: 'operational', start: 'none', fail: 'major' };

/** The body of a ping. Anyone with the ping URL can send a body, so it is rendered only as text. */
const Body = ({ data }: { data: Record<string, unknown> }): JSX.Element => {
  const text = bodyTextOf(data);
  const line = summaryOf(data);
  if (line === text) return <bdi class="body">{text}</bdi>;
  return (
    <details class="body">
      <summary>
        <bdi>{line}</bdi>
      </summary>
      <pre dir="auto" tabIndex={0}>
        {text}
      </pre>
    </details>
  );
};

/** Returns the duration of a run as text. Durations under ten seconds include fractions of a second. */
const runText = (seconds: number, locale: string): string =>
  seconds < 60
    ? numberFormat(locale, {
        style: 'unit',
        unit: 'second',
        unitDisplay: 'short',
        maximumFractionDigits: seconds < 10 ? 2 : 0,
      }).format(seconds)
    : durationOf(seconds, locale);

const columns = (): Column<Ping>[] => {
  const says = words.value.heartbeats;
  return [
    {
      name: 'received',
      label: says.received,
      kind: 'key',
      cell: ({ received_at }) => <Moment instant={received_at} />,
    },
    {
      name: 'kind',
      label: says.kind,
      cell: ({ kind }) => (
        <span class="named">
          <StateIcon state={SHAPES[kind]} /> <span>{says.kinds[kind]}</span>
        </span>
      ),
    },
    {
      name: 'duration',
      label: says.duration,
      kind: 'number',
      cell: ({ duration }) => (duration === null ? '–' : runText(duration, language.value)),
    },
    {
      name: 'source',
      label: says.source,
      cell: ({ source_ip, user_agent }) => (
        <span>
          {source_ip ?? '–'}
          {user_agent !== null && <bdi class="agent">{user_agent}</bdi>}
        </span>
      ),
    },
    {
      name: 'content',
      label: says.body,
      kind: 'wide',
      cell: ({ ping_data }) => (ping_data === null ? '–' : <Body data={ping_data} />),
    },
  ];
};

const loadPings = async (heartbeat_key: string, page: number, signal: AbortSignal) => {
  const params = { heartbeat_key };
  const [{ pings, pagination }, counts] = await Promise.all([
    call('GET /v1/heartbeats/{heartbeat_key}/pings', { params, query: { page, per_page: PAGE_SIZE } }, { signal }),
    // The counts are always those of the last 24 hours.
    may('GET /v1/heartbeats/{heartbeat_key}/pings-count')
      ? call('GET /v1/heartbeats/{heartbeat_key}/pings-count', { params, query: { hours: 24 } }, { signal })
      : null,
  ]);
  const { pages, total } = pagination;
  return { pings, pagination: { page, total_pages: pages, total_items: total }, counts };
};

/** The pings of a heartbeat, newest first. */
export const Pings = (given: { heartbeat: Schemas['Heartbeat']; onRefresh: () => void }): JSX.Element => {
  const { id, last_ping_at } = given.heartbeat;
  const page = Math.max(1, Math.floor(Number(currentLocation.value.query.get('pings') ?? 1)) || 1);
  const { loaded, again } = useLoaded((signal) => loadPings(id, page, signal), [id, page]);
  // The event stream reports no pings, but it reports changes of the heartbeat. Read the pings again after such a
  // change.
  useEffect(() => {
    if (loaded.status !== 'loading') again();
  }, [last_ping_at]);
  const value = loaded.status === 'loading' ? null : loaded.value;
  const says = words.value.heartbeats;
  const turn = (next: number): void => {
    const query = new URLSearchParams(currentLocation.value.query);
    query.set('pings', next.toString());
    navigate(`/heartbeats/${id}?${query.toString()}`);
  };
  return (
    <section class="pings">
      <header>
        <h2>{says.pings}</h2>
        {value?.counts && (
          <>
            {value.counts.summary.total_pings > 0 && (
              <Sparkline hours={value.counts.ping_counts.map(({ ping_count }) => ping_count || null)} failed={[]} />
            )}
            <span class="fine">{says.perDay(value.counts.summary.total_pings)}</span>
          </>
        )}
        <button
          class="button"
          onClick={() => {
            given.onRefresh();
            again();
          }}
        >
          {says.refresh}
        </button>
      </header>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {value && value.pings.length === 0 && <p class="nothing">{says.noPings}</p>}
      {value && value.pings.length > 0 && (
        <>
          <DataTable label={says.pings} columns={columns()} rows={value.pings} keyOf={(ping) => ping.id} />
          <Pager pagination={value.pagination} onPage={turn} />
        </>
      )}
    </section>
  );
};
