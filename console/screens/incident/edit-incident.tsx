import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Drawer } from '../../parts/overlays/drawer.tsx';
import { SelectField } from '../../parts/form/select-field.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { scheduleBody } from './editor/bodies.ts';
import { emptyDraft, IMPACTS, kindOf, type Draft, type Impact, type Incident } from './editor/draft.ts';
import { ScheduleSwitches, ScheduleTimes } from './editor/schedule-fields.tsx';
import { draftIn, fieldsOf } from './editor/use-draft.ts';

export interface EditIncidentProps {
  incident: Incident;
  /** time zone of the page */
  zone: string;
  onClose: () => void;
  onSaved: () => void;
}

const seconds = (instant: string | null): string | null => instant?.slice(0, 19) ?? null;

/** Returns an incident as a draft, for the schedule fields. */
const draftOf = (incident: Incident): Draft => ({
  ...emptyDraft(kindOf(incident)),
  scheduled_for: seconds(incident.scheduled_for),
  scheduled_until: seconds(incident.scheduled_until),
  scheduled_remind_prior: incident.scheduled_remind_prior,
  reminder_intervals: incident.reminder_intervals ?? '',
  scheduled_auto_in_progress: incident.scheduled_auto_in_progress,
  scheduled_auto_completed: incident.scheduled_auto_completed,
  auto_transition_to_maintenance_state: incident.auto_transition_to_maintenance_state,
  auto_transition_to_operational_state: incident.auto_transition_to_operational_state,
  auto_transition_deliver_notifications_at_start: incident.auto_transition_deliver_notifications_at_start,
  auto_transition_deliver_notifications_at_end: incident.auto_transition_deliver_notifications_at_end,
});

/** Edits the name and the impact of an incident, and the schedule of a maintenance. Subscribers are not notified. */
export const EditIncident = ({ incident, zone, onClose, onSaved }: EditIncidentProps): JSX.Element => {
  const kind = kindOf(incident);
  const name = useSignal(incident.name);
  const impact = useSignal<Impact>(incident.impact);
  const fields = useMemo(() => fieldsOf(draftOf(incident)), []);
  const version = useSignal(incident.updated_at);
  const of = useSubmit();
  const { common, incidents: says } = words.value;
  const impacts = kind === 'maintenance' ? ([...IMPACTS, 'maintenance'] as const) : IMPACTS;
  const save = async (): Promise<void> => {
    const params = { page_id: incident.page_id, incident_id: incident.id };
    const schedule = kind === 'maintenance' ? scheduleBody(draftIn(fields)) : {};
    const body = { name: name.value, impact: impact.value, ...schedule };
    await call('PATCH /v1/pages/{page_id}/incidents/{incident_id}', { params, body });
    onSaved();
    onClose();
  };
  return (
    <Drawer title={common.edit} onClose={onClose}>
      {version.value !== incident.updated_at && (
        <div class="notice" role="alert">
          <span>{says.changedMeanwhile}</span>
        </div>
      )}
      <Form submit={common.save} of={of} onSubmit={save} onCancel={onClose}>
        <Field label={says.name} name="name" value={name} maxLength={200} problem={of.problemOf('name')} />
        <SelectField
          label={says.impact}
          name="impact"
          value={impact}
          options={impacts.map((value) => ({ value, label: says.impacts[value] }))}
          problem={of.problemOf('impact')}
        />
        {kind === 'maintenance' && (
          <>
            <ScheduleTimes fields={fields} of={of} zone={zone} />
            <ScheduleSwitches fields={fields} of={of} />
          </>
        )}
      </Form>
    </Drawer>
  );
};
