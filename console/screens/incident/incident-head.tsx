import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { stateOfImpact, StatePill } from '../../../views/status/state.tsx';
import type { Schemas } from '../../api/openapi.d.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { durationOf, momentOf, Since } from '../../parts/times/since.tsx';
import { ZonedMoment } from '../../parts/times/zoned-moment.tsx';
import { SERVICE_URL } from '../../urls.ts';
import { navigate } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { language, words } from '../../shell/language.ts';
import { EditIncident } from './edit-incident.tsx';
import { kindOf, type Incident, type Status } from './editor/draft.ts';

export interface IncidentHeadProps {
  incident: Incident;
  page: Schemas['Page'];
  again: () => void;
}

/** Actions that need a confirmation. */
type PendingAction = 'delete' | 'start' | 'complete';

const NEXT: Readonly<Record<Exclude<PendingAction, 'delete'>, Status>> = {
  start: 'in_progress',
  complete: 'completed',
};

/** Returns the public URL of an incident. */
const publicAddress = ({ id }: Incident, { subdomain, domain }: Schemas['Page']): string =>
  domain === null
    ? new URL(`status/${subdomain}/incidents/${id}`, SERVICE_URL).href
    : `https://${domain}/incidents/${id}`;

/** The name, status and duration of an incident, and its actions. */
export const IncidentHead = ({ incident, page, again }: IncidentHeadProps): JSX.Element => {
  const asked = useSignal<PendingAction | null>(null);
  const editing = useSignal(false);
  const { common, incidents: says, screens } = words.value;
  const isMaintenance = kindOf(incident) === 'maintenance';
  const back = isMaintenance
    ? { to: '/maintenances', label: screens.maintenances }
    : { to: '/incidents', label: screens.incidents };
  const params = { page_id: page.id, incident_id: incident.id };
  const mayChange = may('PATCH /v1/pages/{page_id}/incidents/{incident_id}');
  const confirm = async (what: PendingAction): Promise<void> => {
    if (what === 'delete') {
      await call('DELETE /v1/pages/{page_id}/incidents/{incident_id}', { params });
      navigate(back.to);
      return;
    }
    await call('PATCH /v1/pages/{page_id}/incidents/{incident_id}', { params, body: { status: NEXT[what] } });
    again();
  };
  const ask = (what: PendingAction) => () => {
    asked.value = what;
  };
  return (
    <>
      <ScreenHead title={incident.name} isName back={back}>
        {mayChange && incident.status === 'scheduled' && (
          <button class="button" onClick={ask('start')}>
            {says.startNow}
          </button>
        )}
        {mayChange && (incident.status === 'in_progress' || incident.status === 'verifying') && (
          <button class="button" onClick={ask('complete')}>
            {says.completeNow}
          </button>
        )}
        <a class="button" href={publicAddress(incident, page)} target="_blank" rel="noopener noreferrer">
          {says.openPage}
        </a>
        {mayChange && (
          <Menu label={common.more} icon="more">
            <button
              type="button"
              onClick={() => {
                editing.value = true;
              }}
            >
              {common.edit}
            </button>
            <button
              type="button"
              onClick={() => {
                navigate(`/incident-templates/new?page_id=${page.id}&incident_id=${incident.id}`);
              }}
            >
              {says.saveAsTemplate}
            </button>
            <button type="button" class="danger" onClick={ask('delete')}>
              {common.delete}
            </button>
          </Menu>
        )}
      </ScreenHead>
      <p class="incident-state">
        <StatePill state={stateOfImpact(incident.impact)} label={says.statuses[incident.status]} />
        <span>{says.impacts[incident.impact]}</span>
        <bdi>{page.name}</bdi>
        <When incident={incident} zone={page.time_zone} />
      </p>
      {editing.value && (
        <EditIncident
          incident={incident}
          zone={page.time_zone}
          onClose={() => {
            editing.value = false;
          }}
          onSaved={again}
        />
      )}
      {asked.value !== null && (
        <ConfirmDialog
          title={says.asks[asked.value].title}
          text={says.asks[asked.value].text}
          action={asked.value === 'delete' ? common.delete : says.asks[asked.value].action}
          danger={asked.value === 'delete'}
          onConfirm={() => confirm(asked.value ?? 'delete')}
          onClose={() => {
            asked.value = null;
          }}
        />
      )}
    </>
  );
};

/** Shows the period and the duration of an incident or maintenance. */
const When = ({ incident, zone }: { incident: Incident; zone: string }): JSX.Element => {
  const { scheduled_for, scheduled_until, created_at, resolved_at } = incident;
  if (scheduled_for !== null && scheduled_until !== null) {
    return <ZonedMoment instant={scheduled_for} until={scheduled_until} zone={zone} />;
  }
  if (resolved_at === null) return <Since instant={created_at} />;
  const seconds = (momentOf(resolved_at) - momentOf(created_at)) / 1_000;
  return (
    <span>
      <ZonedMoment instant={created_at} zone={zone} /> · {durationOf(seconds, language.value)}
    </span>
  );
};
