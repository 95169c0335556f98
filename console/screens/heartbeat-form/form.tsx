import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Failure } from '../../api/failure.ts';
import { SelectField } from '../../parts/form/select-field.tsx';
import { Conflict } from '../../parts/form/conflict.tsx';
import { useDraft, valuesOf, type FormDraft as Held } from '../../parts/form/draft.ts';
import { DurationField } from '../../parts/form/duration-field.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { ListField } from '../../parts/form/list-field.tsx';
import { Section } from '../../parts/form/section.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { useSubmit, type Submit } from '../../parts/form/use-submit.ts';
import { timeZones } from '../../parts/times/moment-text.ts';
import { navigate } from '../../router/router.ts';
import { useUnsaved } from '../../router/unsaved.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { NextTimes } from '../heartbeat/next-times.tsx';
import { problemOf, timesOf } from '../heartbeats/times.ts';
import { bodyOf, type Draft } from './draft.ts';

export interface HeartbeatFormProps {
  /** null: a new heartbeat */
  id: string | null;
  first: Draft;
  /** revision of the loaded heartbeat; null: the heartbeat is new */
  revision: number | null;
  /** reloads the heartbeat and discards the input */
  onReload: () => void;
}

/** The heartbeat form. */
export const HeartbeatForm = ({ id, first, revision, onReload }: HeartbeatFormProps): JSX.Element => {
  const { draft, changed } = useDraft(first, []);
  const of = useSubmit();
  const conflict = useSignal(false);
  const saved = useUnsaved(changed);
  const { heartbeats: says, common } = words.value;

  const write = (isForced: boolean) => {
    const body = bodyOf(valuesOf(draft));
    if (id === null) return call('POST /v1/heartbeats', { body });
    const headers = revision === null || isForced ? {} : { 'If-Match': `"${revision}"` };
    return call('PATCH /v1/heartbeats/{heartbeat_key}', { params: { heartbeat_key: id }, body }, { headers });
  };
  const save = async (isForced = false): Promise<void> => {
    conflict.value = false;
    try {
      const heartbeat = await write(isForced);
      saved();
      navigate(`/heartbeats/${heartbeat.id}`, { replace: id === null });
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 412) throw error;
      conflict.value = true;
    }
  };
  return (
    <Form
      submit={id === null ? common.create : common.save}
      of={of}
      onSubmit={save}
      onCancel={() => {
        navigate(id === null ? '/heartbeats' : `/heartbeats/${id}`);
      }}
    >
      {conflict.value && (
        <Conflict
          onReload={() => {
            saved();
            onReload();
          }}
          onSave={() => void of.send(() => save(true))}
        />
      )}
      <Section legend={says.form.job}>
        <Field
          label={common.name}
          name="name"
          value={draft.name}
          problem={of.problemOf('name')}
          placeholder={says.form.namePlaceholder}
          autoFocus={id === null}
        />
        <ListField
          label={says.tags}
          name="tags"
          value={draft.tags}
          problem={tagsProblem(of)}
          hint={says.form.tagsHint}
          optional
        />
      </Section>
      <When draft={draft} of={of} />
      <Section legend={says.form.tooLate}>
        <DurationField
          label={says.grace}
          name="grace_seconds"
          value={draft.grace_seconds}
          problem={of.problemOf('grace_seconds')}
          hint={says.form.graceHint}
        />
        <DurationField
          label={says.maxDuration}
          name="max_duration"
          value={draft.max_duration}
          problem={of.problemOf('max_duration')}
          hint={says.form.maxDurationHint}
          optional
        />
        <Checkbox label={says.form.active} name="active" value={draft.active} hint={says.form.activeHint} />
      </Section>
    </Form>
  );
};

/** Maximum number of tags of a heartbeat. */
const MOST_TAGS = 20;

/** Returns the error message for one of the tags, or null if there is none. */
const tagsProblem = (of: Submit): string | null => {
  const places = Array.from({ length: MOST_TAGS }, (_, place) => `tags.${place}`);
  return ['tags', ...places].map(of.problemOf).find((problem) => problem !== null) ?? null;
};

/** The fields for when pings are expected: a period, or a cron expression with its next times. */
const When = ({ draft, of }: { draft: Held<Draft>; of: Submit }): JSX.Element => {
  const { heartbeats: says } = words.value;
  const zones = timeZones(draft.time_zone.value);
  return (
    <Section legend={says.form.when}>
      <SelectField
        label={says.form.kind}
        name="kind"
        value={draft.kind}
        options={[
          { value: 'period', label: says.form.kinds.period },
          { value: 'schedule', label: says.form.kinds.schedule },
        ]}
      />
      {draft.kind.value === 'period' ? (
        <DurationField
          label={says.form.period}
          name="period_seconds"
          value={draft.period_seconds}
          problem={of.problemOf('period_seconds')}
          hint={says.form.periodHint}
        />
      ) : (
        <>
          <Field
            label={says.form.schedule}
            name="schedule"
            value={draft.schedule}
            problem={of.problemOf('schedule')}
            hint={says.form.scheduleHint}
            code
          />
          <SelectField
            label={says.form.timeZone}
            name="time_zone"
            value={draft.time_zone}
            problem={of.problemOf('time_zone')}
            options={zones.map((zone) => ({ value: zone, label: zone }))}
          />
          <Preview schedule={draft.schedule.value} zone={draft.time_zone.value} />
        </>
      )}
    </Section>
  );
};

/** Shows the next times of the typed cron expression, or its error. */
const Preview = ({ schedule, zone }: { schedule: string; zone: string }): JSX.Element => {
  const says = words.value.heartbeats;
  const times = timesOf(schedule, zone, Date.now());
  return (
    <div class="schedule-preview" role="status">
      <p class="label">{says.nextTimes}</p>
      {times === null ? <p class="hint">{problemOf(schedule) ?? zone}</p> : <NextTimes times={times} zone={zone} />}
    </div>
  );
};
