import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { Drawer } from '../../parts/overlays/drawer.tsx';
import { TextArea } from '../../parts/form/text-area.tsx';
import { Form } from '../../parts/form/form.tsx';
import { MomentField } from '../../parts/form/moment-field.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { ComponentsField } from './editor/components-field.tsx';
import { withComponent, type Component, type Draft, type Kind } from './editor/draft.ts';

export interface EditUpdateProps {
  update: Schemas['IncidentUpdate'];
  page_id: string;
  components: readonly Component[];
  kind: Kind;
  onClose: () => void;
  onSaved: () => void;
}

/** Edits a published update. This may change the uptime of past days. */
export const EditUpdate = ({ update, page_id, components, kind, onClose, onSaved }: EditUpdateProps): JSX.Element => {
  const body = useSignal(update.body);
  const at = useSignal<string | null>(update.created_at.slice(0, 19));
  const map = useSignal<Draft['components']>(update.components);
  const of = useSubmit();
  const { common, incidents: says } = words.value;
  const save = async (): Promise<void> => {
    // The field drops fractions of a second. If the user has not changed the time, do not send it, because the rounded
    // time would replace the stored time.
    const isSameTime = at.value === update.created_at.slice(0, 19);
    await call('PATCH /v1/pages/{page_id}/incidents/{incident_id}/incident_updates/{incident_update_id}', {
      params: { page_id, incident_id: update.incident_id, incident_update_id: update.id },
      body: {
        body: body.value,
        components: map.value,
        ...(!isSameTime && at.value !== null && { created_at: at.value }),
      },
    });
    onSaved();
    onClose();
  };
  return (
    <Drawer title={says.editUpdate} onClose={onClose}>
      <p class="hint">{says.editUpdateText}</p>
      <Form submit={common.save} of={of} onSubmit={save} onCancel={onClose}>
        <TextArea
          label={says.message}
          name="body"
          value={body}
          rows={8}
          hint={says.markdown}
          problem={of.problemOf('body')}
          autoFocus
        />
        <MomentField label={says.happenedAt} name="created_at" value={at} problem={of.problemOf('created_at')} />
        <ComponentsField
          value={map.value}
          components={components}
          named={[]}
          problem={of.problemOf('components')}
          kind={kind}
          onChange={(id, status) => {
            map.value = withComponent({ components: map.value, recovered: [] }, id, status).components;
          }}
        />
      </Form>
    </Drawer>
  );
};
