import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Failure } from '../../api/failure.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { stateOfImpact, StateIcon, type State } from '../../../views/status/state.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Link } from '../../parts/link.tsx';
import { stateOfAlert } from '../../parts/severity.ts';
import { Since } from '../../parts/times/since.tsx';
import { call } from '../../session/call.ts';
import { mayWrite } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import type { Alerts, Incidents } from './sources.ts';

const Section = ({ title, children }: { title: string; children: ComponentChildren }): JSX.Element => {
  const id = useId();
  return (
    <section class="list" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
};

interface LineProps {
  state: State;
  name: string;
  /** path of the screen with details */
  to: string;
  /** the state in one word, or a description of the problem */
  detail: ComponentChildren;
  /** start of the problem; null: unknown */
  since: string | null;
  children?: ComponentChildren;
}

/** A row of a section, with the state, the name, the problem and its start. */
const Line = ({ state, name, to, detail, since, children }: LineProps): JSX.Element => (
  <li>
    <StateIcon state={state} />
    <Link to={to} class="name">
      <bdi>{name}</bdi>
    </Link>
    <span class="detail">{detail}</span>
    <span class="when">{since !== null && <Since instant={since} />}</span>
    {children}
  </li>
);

export const FailingSection = (shown: { failing: readonly Schemas['OverviewRow'][]; count: number }): JSX.Element => {
  const { overview, states } = words.value;
  return (
    <Section title={overview.failing}>
      <ul>
        {shown.failing.map(({ id, name, error_message, since }) => (
          <Line
            key={id}
            state="major"
            name={name}
            to={`/checks/${id}`}
            detail={<bdi>{error_message ?? states.down}</bdi>}
            since={since}
          />
        ))}
      </ul>
      {shown.count > shown.failing.length && (
        <p class="fine">
          <Link to="/checks?filter=status:down">{overview.more(shown.count - shown.failing.length)}</Link>
        </p>
      )}
    </Section>
  );
};

export const AlertsSection = ({ alerts, count, people, reload }: Alerts & { reload: () => void }): JSX.Element => {
  const says = words.value.overview;
  const failure = useSignal<Failure | null>(null);
  const busy = useSignal<ReadonlySet<string>>(new Set());
  const acknowledge = async (alert_id: string): Promise<void> => {
    busy.value = new Set([...busy.value, alert_id]);
    failure.value = null;
    try {
      await call('POST /v1/alerts/{alert_id}/acknowledge', { params: { alert_id } });
      reload();
    } catch (error) {
      failure.value = error as Failure;
    } finally {
      busy.value = new Set([...busy.value].filter((one) => one !== alert_id));
    }
  };
  return (
    <Section title={says.alerts}>
      {failure.value && <FailureLine failure={failure.value} />}
      <ul>
        {alerts.map((alert) => (
          <Line
            key={alert.id}
            state={stateOfAlert(alert)}
            name={alert.title}
            to={`/alerts/${alert.id}`}
            detail={<Handling alert={alert} people={people} />}
            since={alert.fired_at}
          >
            {alert.status === 'firing' && mayWrite() && (
              <button
                class="button"
                disabled={busy.value.has(alert.id)}
                aria-label={`${says.acknowledge}: ${alert.title}`}
                onClick={() => void acknowledge(alert.id)}
              >
                {says.acknowledge}
              </button>
            )}
          </Line>
        ))}
      </ul>
      {count > alerts.length && (
        <p class="fine">
          <Link to="/alerts">{says.moreAlerts(count - alerts.length)}</Link>
        </p>
      )}
    </Section>
  );
};

/** Shows the severity of an alert, and who is handling it. */
const Handling = ({ alert, people }: { alert: Schemas['AlertRow']; people: Alerts['people'] }): JSX.Element => {
  const { overview, severities } = words.value;
  const who = alert.acknowledged_by_id === null ? undefined : people.get(alert.acknowledged_by_id);
  return (
    <>
      {severities[alert.severity]}
      {alert.status === 'acknowledged' && (
        <>
          {' · '}
          {overview.acknowledged}
          {who !== undefined && (
            <>
              {': '}
              <bdi>{who}</bdi>
            </>
          )}
        </>
      )}
    </>
  );
};

export const HeartbeatsSection = ({ heartbeats }: { heartbeats: readonly Schemas['HeartbeatRow'][] }): JSX.Element => {
  const says = words.value.overview;
  return (
    <Section title={says.lateHeartbeats}>
      <ul>
        {heartbeats.map(({ id, name, status, next_expected_ping }) => (
          <Line
            key={id}
            state={status === 'down' ? 'major' : 'degraded'}
            name={name}
            to={`/heartbeats/${id}`}
            detail={status === 'down' ? words.value.states.down : says.late}
            since={next_expected_ping}
          />
        ))}
      </ul>
    </Section>
  );
};

export const IncidentsSection = ({ incidents, pages }: Incidents): JSX.Element => {
  const { overview, incidentStatuses } = words.value;
  return (
    <Section title={overview.incidents}>
      <ul>
        {incidents.map((incident) => (
          <Line
            key={incident.id}
            state={stateOfImpact(incident.impact)}
            name={incident.name}
            to={`/pages/${incident.page_id}/incidents/${incident.id}`}
            detail={
              <>
                {(incidentStatuses as Record<string, string>)[incident.status] ?? incident.status}
                {' · '}
                <bdi>{pages.get(incident.page_id) ?? ''}</bdi>
              </>
            }
            since={incident.scheduled_for ?? incident.created_at}
          />
        ))}
      </ul>
    </Section>
  );
};
