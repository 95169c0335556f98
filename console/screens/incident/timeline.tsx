import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { StateIcon, stateOfComponent } from '../../../views/status/state.tsx';
import type { Schemas } from '../../api/openapi.d.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { ZonedMoment } from '../../parts/times/zoned-moment.tsx';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { EditUpdate } from './edit-update.tsx';
import { kindOf, type Component, type Incident } from './editor/draft.ts';
import { UpdateAsItWas } from './update-as-it-was.tsx';

type Update = Schemas['IncidentUpdate'];

export interface TimelineProps {
  incident: Incident;
  page: Schemas['Page'];
  components: readonly Component[];
  again: () => void;
}

const ONE = '/v1/pages/{page_id}/incidents/{incident_id}/incident_updates/{incident_update_id}' as const;

/** The updates of an incident, newest first. */
export const Timeline = ({ incident, page, components, again }: TimelineProps): JSX.Element => {
  const edited = useSignal<Update | null>(null);
  const asked = useSignal<{ what: 'deleteUpdate' | 'withhold'; update: Update } | null>(null);
  const { common, incidents: says } = words.value;
  const paramsOf = ({ id }: Update) => ({ page_id: page.id, incident_id: incident.id, incident_update_id: id });
  const confirm = async (): Promise<void> => {
    const { value } = asked;
    if (!value) return;
    const params = paramsOf(value.update);
    if (value.what === 'deleteUpdate') await call(`DELETE ${ONE}`, { params });
    else await call(`POST ${ONE}/withhold`, { params });
    again();
  };
  return (
    <section class="timeline" aria-labelledby="timeline">
      <h2 id="timeline">{says.partNames.updates}</h2>
      <ol>
        {incident.incident_updates.map((update) => (
          <li key={update.id}>
            <header>
              <strong>{says.statuses[update.status]}</strong>
              <ZonedMoment instant={update.created_at} zone={page.time_zone} />
              <UpdateAsItWas page_id={page.id} incident_id={incident.id} update_id={update.id} />
              <span class="fine">{update.deliver_notifications ? says.notified : says.silent}</span>
              {update.withheld_at !== null && <span class="fine">{says.withheld}</span>}
              {may(`PATCH ${ONE}`) && (
                <Menu label={`${common.actions}: ${says.statuses[update.status]}`} icon="more">
                  <button
                    type="button"
                    onClick={() => {
                      edited.value = update;
                    }}
                  >
                    {common.edit}
                  </button>
                  {may(`POST ${ONE}/withhold`) && update.withheld_at === null && (
                    <button
                      type="button"
                      onClick={() => {
                        asked.value = { what: 'withhold', update };
                      }}
                    >
                      {says.withhold}
                    </button>
                  )}
                  {incident.incident_updates.length > 1 && (
                    <button
                      type="button"
                      class="danger"
                      onClick={() => {
                        asked.value = { what: 'deleteUpdate', update };
                      }}
                    >
                      {common.delete}
                    </button>
                  )}
                </Menu>
              )}
            </header>
            <p class="body" dir="auto">
              {update.body}
            </p>
            <Changes update={update} components={components} />
          </li>
        ))}
      </ol>
      {edited.value && (
        <EditUpdate
          update={edited.value}
          page_id={page.id}
          components={components}
          kind={kindOf(incident)}
          onClose={() => {
            edited.value = null;
          }}
          onSaved={again}
        />
      )}
      {asked.value && (
        <ConfirmDialog
          title={says.asks[asked.value.what].title}
          text={says.asks[asked.value.what].text}
          action={asked.value.what === 'deleteUpdate' ? common.delete : says.withhold}
          danger
          onConfirm={confirm}
          onClose={() => {
            asked.value = null;
          }}
        />
      )}
    </section>
  );
};

/** Shows the components that an update changed. */
const Changes = ({ update, components }: { update: Update; components: readonly Component[] }): JSX.Element | null => {
  const known = new Map(components.map(({ id, name }) => [id, name]));
  const set = Object.entries(update.components).flatMap(([id, status]) => {
    const name = known.get(id);
    return name === undefined ? [] : [{ id, name, status }];
  });
  if (set.length === 0) return null;
  return (
    <ul class="set-components">
      {set.map(({ id, name, status }) => (
        <li key={id}>
          <StateIcon state={stateOfComponent(status)} />
          <bdi>{name}</bdi>
          <span class="fine">{words.value.incidents.componentStatuses[status]}</span>
        </li>
      ))}
    </ul>
  );
};
