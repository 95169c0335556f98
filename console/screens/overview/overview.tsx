import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Schemas } from '../../api/openapi.d.ts';
import { StateIcon, type State } from '../../../views/status/state.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { SERVICE } from '../../place.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { language, words } from '../../shell/language.ts';

type Status = Schemas['Check']['status'];

/** How many checks have a status, and the first of them. */
const withStatus = async (status: Status, page_size: number, signal: AbortSignal) => {
  const { checks, pagination } = await call('GET /v1/checks', { query: { status: [status], page_size } }, { signal });
  return { checks, count: pagination.total_items };
};

/** Failing checks that are listed. */
const MOST_LISTED = 20;

const load = async (signal: AbortSignal) => {
  const [down, up, pending] = await Promise.all([
    withStatus('down', MOST_LISTED, signal),
    withStatus('up', 1, signal),
    withStatus('pending', 1, signal),
  ]);
  return { failing: down.checks, counts: { down: down.count, up: up.count, pending: pending.count } };
};

type Shown = Awaited<ReturnType<typeof load>>;

/** How everything is at the moment. */
const Overview = (): JSX.Element => {
  const { loaded, again } = useLoaded(load, []);
  const title = words.value.screens.overview;
  useEffect(() => {
    document.title = `${title} · Uptrail`;
  }, [title]);
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') return <FailurePanel failure={loaded.failure} again={again} />;
  const { down, up, pending } = loaded.value.counts;
  if (down + up + pending === 0) return <NoChecks />;
  return (
    <>
      <h1>{title}</h1>
      <Counts {...loaded.value.counts} />
      {down > 0 ? <Failing {...loaded.value} /> : <AllUp />}
    </>
  );
};
export default Overview;

const Counts = ({ down, up, pending }: Shown['counts']): JSX.Element => {
  const says = words.value.overview;
  const numbers = new Intl.NumberFormat(language.value);
  const all: [number, string, State][] = [
    [down, says.down, 'major'],
    [up, says.up, 'operational'],
    [pending, says.pending, 'none'],
  ];
  return (
    <ul class="counts">
      {all.map(([count, label, state]) => (
        <li key={state} class={`count state-${state}`} data-empty={count === 0}>
          <StateIcon state={state} />
          <strong>{numbers.format(count)}</strong> {label}
        </li>
      ))}
    </ul>
  );
};

const Failing = ({ failing, counts }: Shown): JSX.Element => {
  const says = words.value.overview;
  const times = new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <section class="list" aria-labelledby="failing">
      <h2 id="failing">{says.failing}</h2>
      <ul>
        {failing.map(({ id, name, type, url, host, last_checked_at }) => (
          <li key={id}>
            <StateIcon state="major" />
            <bdi class="name">{name}</bdi>
            <bdi class="target">{url ?? host ?? type}</bdi>
            {last_checked_at !== null && (
              <span class="when">
                {says.lastChecked}{' '}
                <time dateTime={`${last_checked_at}Z`}>{times.format(Date.parse(`${last_checked_at}Z`))}</time>
              </span>
            )}
          </li>
        ))}
      </ul>
      {counts.down > failing.length && <p class="fine">{says.more(counts.down - failing.length)}</p>}
    </section>
  );
};

const AllUp = (): JSX.Element => {
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

const NoChecks = (): JSX.Element => {
  const { noChecks, noChecksText, howToCreate } = words.value.overview;
  return (
    <Panel title={noChecks} text={noChecksText}>
      <a class="button" href={new URL('docs/checks', SERVICE).href}>
        {howToCreate}
      </a>
    </Panel>
  );
};
