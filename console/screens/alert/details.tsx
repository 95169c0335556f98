import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import type { Failure } from '../../api/failure.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { StatePill } from '../../../views/status/state.tsx';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Link } from '../../parts/link.tsx';
import { usePeople } from '../../parts/people.ts';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { stateOfAlert } from '../../parts/severity.ts';
import { Moment } from '../../parts/times/since.tsx';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { canApply } from '../alerts/actions.ts';
import { ActorName } from '../alerts/handling.tsx';
import { Lasting } from '../alerts/table-row.tsx';
import { AlertTimeline } from './timeline.tsx';
import { Regions, ResultsAround, Triggers } from './results.tsx';
import type { AlertWithMessages } from './source.ts';

export interface DetailsProps extends AlertWithMessages {
  again: () => void;
  onChange: (alert: Schemas['Alert']) => void;
}

/** The details of an alert: its subject, timeline, and triggering results. */
export const Details = ({ alert, messages, again, onChange }: DetailsProps): JSX.Element => {
  const { alerts: says, severities, screens } = words.value;
  const people = usePeople(alert.history.map(({ user_id }) => user_id));
  return (
    <article class="alert">
      <ScreenHead title={alert.title} isName back={{ to: '/alerts', label: screens.alerts }}>
        <AlertActions alert={alert} onChange={onChange} again={again} />
      </ScreenHead>
      <p class="state">
        <StatePill
          state={stateOfAlert(alert)}
          label={`${says.statuses[alert.status]} · ${severities[alert.severity]}`}
        />
        <span>
          <Lasting row={alert} />
        </span>
      </p>
      <p class="description">
        <bdi>{alert.description}</bdi>
      </p>
      <Facts facts={factsOf(alert, people)} />
      <AlertTimeline alert={alert} messages={messages} people={people} again={again} />
      {alert.regional_summary.length > 0 && <Regions regions={alert.regional_summary} />}
      {alert.trigger_results.length > 0 && <Triggers results={alert.trigger_results} />}
      {alert.check_id !== null && <ResultsAround check_id={alert.check_id} fired_at={alert.fired_at} />}
    </article>
  );
};

const factsOf = (
  alert: Schemas['Alert'],
  people: ReadonlyMap<string, string>,
): (readonly [string, ComponentChildren])[] => {
  const { alerts: says, common } = words.value;
  const named = (id: string | null, to: string, name: string | null): ComponentChildren =>
    id === null ? (
      <bdi>{name ?? common.none}</bdi>
    ) : (
      <Link to={to}>
        <bdi>{name ?? id}</bdi>
      </Link>
    );
  return [
    [says.check, named(alert.check_id, `/checks/${alert.check_id ?? ''}`, alert.check_name)],
    [
      says.rule,
      alert.rule_id === null ? says.ofService : named(alert.rule_id, `/alerts/rules/${alert.rule_id}`, alert.rule_name),
    ],
    [says.firedAt, <Moment key="fired" instant={alert.fired_at} />],
    [
      says.handling,
      alert.acknowledged_by_id === null ? says.nobody : <ActorName id={alert.acknowledged_by_id} people={people} />,
    ],
    ...(alert.resolved_at === null
      ? []
      : [[says.resolvedAt, <Moment key="resolved" instant={alert.resolved_at} />] as const]),
  ];
};

interface AlertActionsProps {
  alert: Schemas['Alert'];
  onChange: (alert: Schemas['Alert']) => void;
  again: () => void;
}

/** The buttons that acknowledge and resolve an alert. */
const AlertActions = ({ alert, onChange, again }: AlertActionsProps): JSX.Element => {
  const { alerts: says } = words.value;
  const busy = useSignal(false);
  const failure = useSignal<Failure | null>(null);
  const asks = useSignal(false);
  const params = { alert_id: alert.id };
  const acknowledge = async (): Promise<void> => {
    busy.value = true;
    failure.value = null;
    try {
      onChange(await call('POST /v1/alerts/{alert_id}/acknowledge', { params }));
    } catch (error) {
      failure.value = error as Failure;
      // Another user may have acted first, so load the current state.
      again();
    } finally {
      busy.value = false;
    }
  };
  return (
    <>
      {failure.value && <FailureLine failure={failure.value} />}
      {may('POST /v1/alerts/{alert_id}/acknowledge') && canApply(alert, 'acknowledge') && (
        <button class="button primary" disabled={busy.value} onClick={() => void acknowledge()}>
          {says.acknowledge}
        </button>
      )}
      {may('POST /v1/alerts/{alert_id}/resolve') && canApply(alert, 'resolve') && (
        <button
          class="button"
          onClick={() => {
            asks.value = true;
          }}
        >
          {says.resolve}
        </button>
      )}
      {asks.value && (
        <ConfirmDialog
          title={says.resolveTitle(1)}
          text={says.resolveText}
          action={says.resolve}
          onConfirm={async () => {
            onChange(await call('POST /v1/alerts/{alert_id}/resolve', { params }));
          }}
          onClose={() => {
            asks.value = false;
          }}
        />
      )}
    </>
  );
};
