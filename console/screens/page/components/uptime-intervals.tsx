import type { JSX } from 'preact';
import type { Schemas } from '../../../api/openapi.d.ts';
import { uptimeText } from '../../../../messages/uptime-text.ts';
import { Folded } from '../../../parts/folded.tsx';
import { Drawer } from '../../../parts/overlays/drawer.tsx';
import { Link } from '../../../parts/link.tsx';
import { LoadedView } from '../../../parts/loaded-view.tsx';
import { momentText } from '../../../parts/times/moment-text.ts';
import { durationOf, momentOf } from '../../../parts/times/since.tsx';
import { call } from '../../../session/call.ts';
import { useLoaded } from '../../../session/loaded.ts';
import { language, words } from '../../../shell/language.ts';
import type { Component } from './tree.ts';

type Interval = Schemas['UptimeInterval'];

/** Maximum number of intervals in the table. If there are more, the table shows the newest ones. */
const MOST_ROWS = 100;

export interface UptimeIntervalsProps {
  page_id: string;
  component_id: string;
}

/** The uptime of a component in the last 90 days, and the intervals that it is computed from. Loaded when opened. */
export const UptimeIntervals = (props: UptimeIntervalsProps): JSX.Element => (
  <Folded title={words.value.components.uptime.title}>{() => <Explanation {...props} />}</Folded>
);

export interface UptimeDrawerProps {
  page_id: string;
  component: Pick<Component, 'id' | 'name'>;
  onClose: () => void;
}

/** The drawer of a component for users who can't edit it, and in past states. */
export const UptimeDrawer = ({ page_id, component: { id, name }, onClose }: UptimeDrawerProps): JSX.Element => (
  <Drawer title={name} onClose={onClose}>
    <section>
      <h3>{words.value.components.uptime.title}</h3>
      <Explanation page_id={page_id} component_id={id} />
    </section>
  </Drawer>
);

const Explanation = ({ page_id, component_id }: UptimeIntervalsProps): JSX.Element => {
  const { uptime: says } = words.value.components;
  const statistics = useLoaded(
    (signal) =>
      call(
        'GET /v1/pages/{page_id}/components/{component_id}/uptime',
        { params: { page_id, component_id }, query: { explain: true } },
        { signal },
      ),
    [page_id, component_id],
  );
  return (
    <LoadedView of={statistics}>
      {({ intervals = [], truncated = false, ...figures }) => (
        <>
          <p>{says.figure(uptimeText(figures, language.value))}</p>
          <Table page_id={page_id} intervals={intervals.slice(-MOST_ROWS).reverse()} />
          {(truncated || intervals.length > MOST_ROWS) && <p class="fine">{says.olderIntervals}</p>}
        </>
      )}
    </LoadedView>
  );
};

const Table = ({ page_id, intervals }: { page_id: string; intervals: readonly Interval[] }): JSX.Element => {
  const { uptime: says } = words.value.components;
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label={says.title}>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{says.from}</th>
            <th scope="col" class="number">
              {says.duration}
            </th>
            <th scope="col">{says.status}</th>
            <th scope="col">{says.setBy}</th>
          </tr>
        </thead>
        <tbody>
          {intervals.map((interval) => (
            <Row key={interval.from} page_id={page_id} interval={interval} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Row = ({ page_id, interval }: { page_id: string; interval: Interval }): JSX.Element => {
  const { statuses, uptime: says } = words.value.components;
  const { from, to, status, source, excluded } = interval;
  const length = (momentOf(to) - momentOf(from)) / 1_000;
  return (
    <tr>
      <th scope="row">{momentText(momentOf(from), language.value)}</th>
      <td class="number">{durationOf(length, language.value)}</td>
      <td>
        {status !== null && statuses[status]}
        {status !== null && excluded !== null && ' · '}
        {excluded !== null && says.excluded[excluded.rule]}
      </td>
      <td>
        <Source page_id={page_id} source={excluded ? excluded.source : source} />
      </td>
    </tr>
  );
};

const Source = ({ page_id, source }: { page_id: string; source: Interval['source'] }): JSX.Element => {
  const { sources } = words.value.components.uptime;
  if (source === null) return <>–</>;
  const { kind, incident_id, alert_id } = source;
  if (incident_id !== null) return <Link to={`/pages/${page_id}/incidents/${incident_id}`}>{sources.incident}</Link>;
  if (alert_id !== null) return <Link to={`/alerts/${alert_id}`}>{sources.alert}</Link>;
  return <>{sources[kind]}</>;
};
