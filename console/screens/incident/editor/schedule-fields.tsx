import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Field } from '../../../parts/form/field.tsx';
import { MomentField } from '../../../parts/form/moment-field.tsx';
import { Section } from '../../../parts/form/section.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import type { Submit } from '../../../parts/form/use-submit.ts';
import { agreeAt, ownZone, timeInZone } from '../../../parts/times/zone.ts';
import { language, words } from '../../../shell/language.ts';
import type { DraftFields } from './use-draft.ts';

export interface ScheduleFieldsProps {
  fields: DraftFields;
  of: Submit;
  /** time zone of the page */
  zone: string;
}

/** The fields for the schedule of a maintenance. */
export const ScheduleTimes = ({ fields, of, zone }: ScheduleFieldsProps): JSX.Element => {
  const { incidents: says } = words.value;
  /** Returns a hint with the time in the page's zone, if this time differs from the browser's local time. */
  const there = ({ value }: Signal<string | null>): { hint?: string } => {
    if (value === null || agreeAt(value, zone, ownZone())) return {};
    const time = timeInZone(value, zone, language.value);
    return time === null ? {} : { hint: says.onPage(time, zone) };
  };
  return (
    <div class="side-by-side">
      <MomentField
        label={says.from}
        name="scheduled_for"
        value={fields.scheduled_for}
        problem={of.problemOf('scheduled_for')}
        {...there(fields.scheduled_for)}
      />
      <MomentField
        label={says.until}
        name="scheduled_until"
        value={fields.scheduled_until}
        problem={of.problemOf('scheduled_until')}
        {...there(fields.scheduled_until)}
      />
    </div>
  );
};

/** The checkboxes for the automatic steps of a maintenance. */
export const ScheduleSwitches = ({ fields, of }: Omit<ScheduleFieldsProps, 'zone'>): JSX.Element => {
  const { incidents: says } = words.value;
  const tick = (name: keyof DraftFields & (typeof TICKS)[number]): JSX.Element => (
    <Checkbox key={name} label={says.switches[name]} name={name} value={fields[name]} problem={of.problemOf(name)} />
  );
  return (
    <Section legend={says.automatic}>
      <div class="schedule-ticks">
        {TICKS.map(tick)}
        <Checkbox
          label={says.switches.scheduled_remind_prior}
          name="scheduled_remind_prior"
          value={fields.scheduled_remind_prior}
          problem={of.problemOf('scheduled_remind_prior')}
        />
      </div>
      {fields.scheduled_remind_prior.value && (
        <Field
          label={says.reminders}
          name="reminder_intervals"
          value={fields.reminder_intervals}
          hint={says.remindersHint}
          placeholder="1d, 2h, 30m"
          problem={of.problemOf('reminder_intervals')}
          optional
        />
      )}
    </Section>
  );
};

const TICKS = [
  'scheduled_auto_in_progress',
  'auto_transition_to_maintenance_state',
  'auto_transition_deliver_notifications_at_start',
  'scheduled_auto_completed',
  'auto_transition_to_operational_state',
  'auto_transition_deliver_notifications_at_end',
] as const;
