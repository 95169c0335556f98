import type { JSX } from 'preact';
import { SelectField } from '../../parts/form/select-field.tsx';
import { useDraft, valuesOf, type FormDraft as Held } from '../../parts/form/draft.ts';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { ListField } from '../../parts/form/list-field.tsx';
import { NumberField } from '../../parts/form/number-field.tsx';
import { Section } from '../../parts/form/section.tsx';
import { useSubmit, type Submit } from '../../parts/form/use-submit.ts';
import { ownTimeZone, timeZones } from '../../parts/times/moment-text.ts';
import { navigate, currentLocation } from '../../router/router.ts';
import { useUnsaved } from '../../router/unsaved.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { CheckPicker } from './check-picker.tsx';
import { bodyOf, newDraft, RANGES, todayIn, type Draft } from './draft.ts';

/** Returns the initial values of the form. The URL's query can set some of them: `?tag=eu`. */
const firstDraft = (): Draft => {
  const draft = newDraft(ownTimeZone());
  const tag = currentLocation.value.query.get('tag');
  return tag === null ? draft : { ...draft, subject: 'tag', tag };
};

/** The report form. @param pages page names by id */
export const ReportForm = ({ pages }: { pages: ReadonlyMap<string, string> }): JSX.Element => {
  const { draft, changed } = useDraft(firstDraft(), []);
  const of = useSubmit();
  const saved = useUnsaved(changed);
  const { reports: says, common } = words.value;
  const send = async (): Promise<void> => {
    const values = valuesOf(draft);
    const body = bodyOf(values, todayIn(values.time_zone, Date.now()));
    const { id } = await call('POST /v1/reports', { body });
    saved();
    navigate(`/reports/${id}`, { replace: true });
  };
  return (
    <Form
      submit={common.create}
      of={of}
      onSubmit={send}
      onCancel={() => {
        navigate('/reports');
      }}
    >
      <About draft={draft} of={of} pages={pages} />
      <When draft={draft} of={of} />
      <Section legend={says.form.delivery}>
        <SelectField
          label={says.format}
          name="format"
          value={draft.format}
          problem={of.problemOf('format')}
          options={(['pdf', 'json', 'csv'] as const).map((value) => ({ value, label: says.form.formats[value] }))}
        />
        <ListField
          label={says.recipients}
          name="recipients"
          value={draft.recipients}
          problem={anyProblem(of, 'recipients', 20)}
          hint={says.form.recipientsHint}
          optional
        />
      </Section>
    </Form>
  );
};

/** Returns the first error message for an item of a list, or null if there is none. */
const anyProblem = (of: Submit, path: string, most: number): string | null => {
  const items = Array.from({ length: most }, (_, item) => `${path}.${item}`);
  return [path, ...items].map(of.problemOf).find((problem) => problem !== null) ?? null;
};

interface PartProps {
  draft: Held<Draft>;
  of: Submit;
}

const About = ({ draft, of, pages }: PartProps & { pages: ReadonlyMap<string, string> }): JSX.Element => {
  const { reports: says, common } = words.value;
  const subjects = (['all', 'tag', 'page', 'checks'] as const).filter((one) => one !== 'page' || pages.size > 0);
  return (
    <Section legend={says.form.about}>
      <Field label={common.name} name="name" value={draft.name} problem={of.problemOf('name')} autoFocus />
      <SelectField
        label={says.type}
        name="report_type"
        value={draft.report_type}
        problem={of.problemOf('report_type')}
        options={(['uptime', 'response_time', 'incidents'] as const).map((value) => ({
          value,
          label: says.types[value],
        }))}
      />
      <SelectField
        label={says.subject}
        name="subject"
        value={draft.subject}
        options={subjects.map((value) => ({ value, label: says.form.subjects[value] }))}
        onChoose={(subject) => {
          if (subject === 'page' && draft.page_id.value === '') draft.page_id.value = [...pages.keys()][0] ?? '';
        }}
      />
      {draft.subject.value === 'tag' && (
        <Field label={says.form.tag} name="tag" value={draft.tag} problem={of.problemOf('tag')} code />
      )}
      {draft.subject.value === 'page' && (
        <SelectField
          label={says.form.page}
          name="page_id"
          value={draft.page_id}
          problem={of.problemOf('page_id')}
          options={[...pages].map(([value, label]) => ({ value, label }))}
        />
      )}
      {draft.subject.value === 'checks' && (
        <CheckPicker chosen={draft.checks} problem={anyProblem(of, 'check_ids', 0)} />
      )}
      <NumberField
        label={says.target}
        name="target_percentage"
        value={draft.target_percentage}
        problem={of.problemOf('target_percentage')}
        hint={says.form.targetHint}
        step="any"
        min={0}
        max={100}
        unit="%"
        optional
      />
    </Section>
  );
};

const When = ({ draft, of }: PartProps): JSX.Element => {
  const { reports: says } = words.value;
  const isOnce = draft.schedule.value === 'none';
  return (
    <Section legend={says.form.when}>
      <SelectField
        label={says.schedule}
        name="schedule"
        value={draft.schedule}
        problem={of.problemOf('schedule')}
        hint={says.form.scheduleHint}
        options={(['none', 'weekly', 'monthly'] as const).map((value) => ({ value, label: says.schedules[value] }))}
      />
      {isOnce && (
        <SelectField
          label={says.period}
          name="range"
          value={draft.range}
          options={RANGES.map((value) => ({ value, label: says.form.ranges[value] }))}
        />
      )}
      {isOnce && draft.range.value === 'custom' && (
        <>
          <Field
            label={says.form.from}
            name="period_start"
            type="date"
            value={draft.from}
            problem={of.problemOf('period_start')}
          />
          <Field
            label={says.form.to}
            name="period_end"
            type="date"
            value={draft.to}
            problem={of.problemOf('period_end')}
          />
        </>
      )}
      <SelectField
        label={says.timeZone}
        name="time_zone"
        value={draft.time_zone}
        problem={of.problemOf('time_zone')}
        options={timeZones(draft.time_zone.value).map((zone) => ({ value: zone, label: zone }))}
      />
    </Section>
  );
};
