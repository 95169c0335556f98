import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Failure } from '../../api/failure.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { TextArea } from '../../parts/form/text-area.tsx';
import { SelectField } from '../../parts/form/select-field.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { ManagedHint } from '../../parts/managed.tsx';
import { navigate } from '../../router/router.ts';
import { useUnsaved } from '../../router/unsaved.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { ComponentsField } from '../incident/editor/components-field.tsx';
import { IMPACTS, STATUSES, withComponent, type Impact, type Kind, type Status } from '../incident/editor/draft.ts';
import { Segments } from '../incident/editor/segments.tsx';
import type { StatusPage } from '../incidents/pages.ts';
import { textOrNull, type TemplateFields } from './fields.ts';

export interface TemplateFormProps {
  pages: readonly StatusPage[];
  /** null: a new template */
  template: Schemas['IncidentTemplate'] | null;
  fields: TemplateFields;
  /** reloads the template */
  onReload: () => void;
}

/** The template form. Fields that stay empty are filled in by the user of the template. */
export const TemplateForm = ({ pages, template, fields, onReload }: TemplateFormProps): JSX.Element => {
  const name = useSignal(fields.name);
  const kind = useSignal<Kind>(fields.kind);
  const page = useSignal(fields.page_id ?? '');
  const incidentName = useSignal(fields.incident_name ?? '');
  const status = useSignal<Status | ''>(fields.status ?? '');
  const impact = useSignal<Impact | ''>(fields.impact ?? '');
  const body = useSignal(fields.body ?? '');
  const components = useSignal(fields.components);
  const notify = useSignal(fields.deliver_notifications);
  const of = useSubmit();
  const { common, incidents: own, templates: says } = words.value;
  const { loaded } = useLoaded(
    async (signal): Promise<readonly Schemas['Component'][]> =>
      page.value === ''
        ? []
        : call('GET /v1/pages/{page_id}/components', { params: { page_id: page.value } }, { signal }),
    [page.value],
  );
  const written = (): TemplateFields => ({
    name: name.value,
    page_id: page.value === '' ? null : page.value,
    kind: kind.value,
    incident_name: textOrNull(incidentName.value),
    status: status.value === '' ? null : status.value,
    impact: impact.value === '' ? null : impact.value,
    body: textOrNull(body.value),
    components: page.value === '' ? {} : components.value,
    deliver_notifications: notify.value,
  });
  const release = useUnsaved(
    (Object.entries(written()) as [keyof TemplateFields, unknown][]).some(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(fields[key]),
    ),
  );
  const save = async (over = false): Promise<void> => {
    if (template === null) await call('POST /v1/incident-templates', { body: written() });
    else {
      const params = { incident_template_id: template.id };
      const headers = over ? {} : { 'If-Match': `"${template.revision}"` };
      await call('PATCH /v1/incident-templates/{incident_template_id}', { params, body: written() }, { headers });
    }
    release();
    navigate('/incident-templates');
  };
  const leftOpen = { value: '' as const, label: says.leftOpen };
  const mayWrite = may('PATCH /v1/incident-templates/{incident_template_id}');
  const isConflict = of.failure.value instanceof Failure && of.failure.value.status === 412;
  return (
    <fieldset class="template" disabled={!mayWrite}>
      {isConflict && (
        <div class="notice others" role="alert">
          <span>{common.changedMeanwhile}</span>
          <button type="button" class="button" onClick={onReload}>
            {common.loadTheirs}
          </button>
          <button type="button" class="button" onClick={() => void of.send(() => save(true))}>
            {common.saveAnyway}
          </button>
        </div>
      )}
      <Form
        submit={template === null ? common.create : common.save}
        of={of}
        onSubmit={save}
        onCancel={() => {
          navigate('/incident-templates');
        }}
      >
        <ManagedHint of={template} />
        <Field
          label={says.name}
          name="name"
          value={name}
          maxLength={100}
          hint={says.nameHint}
          problem={of.problemOf('name')}
        />
        <Segments
          legend={says.kind}
          value={kind.value}
          options={(['incident', 'maintenance'] as const).map((value) => ({ value, label: says.kinds[value] }))}
          onChoose={(value) => {
            kind.value = value;
            status.value = '';
          }}
        />
        <SelectField
          label={own.page}
          name="page_id"
          value={page}
          options={[{ value: '', label: says.allPages }, ...pages.map(({ id, name: label }) => ({ value: id, label }))]}
          onChoose={() => {
            components.value = {};
          }}
          problem={of.problemOf('page_id')}
        />
        <Field
          label={own.name}
          name="incident_name"
          value={incidentName}
          maxLength={200}
          problem={of.problemOf('incident_name')}
          optional
        />
        <SelectField
          label={own.status}
          name="status"
          value={status}
          options={[leftOpen, ...STATUSES[kind.value].map((value) => ({ value, label: own.statuses[value] }))]}
          problem={of.problemOf('status')}
        />
        <SelectField
          label={own.impact}
          name="impact"
          value={impact}
          options={[leftOpen, ...IMPACTS.map((value) => ({ value, label: own.impacts[value] }))]}
          problem={of.problemOf('impact')}
        />
        <TextArea
          label={own.message}
          name="body"
          value={body}
          rows={6}
          hint={own.markdown}
          problem={of.problemOf('body')}
          optional
        />
        {page.value !== '' && loaded.status === 'loaded' && (
          <ComponentsField
            value={components.value}
            components={loaded.value}
            named={[]}
            problem={of.problemOf('components')}
            kind={kind.value}
            onChange={(id, to) => {
              components.value = withComponent({ components: components.value, recovered: [] }, id, to).components;
            }}
          />
        )}
        <Checkbox
          label={own.notify}
          name="deliver_notifications"
          value={notify}
          problem={of.problemOf('deliver_notifications')}
        />
      </Form>
    </fieldset>
  );
};
