import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Schemas } from '../../../api/openapi.d.ts';
import { TextArea } from '../../../parts/form/text-area.tsx';
import { Field } from '../../../parts/form/field.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { user } from '../../../session/session.ts';
import { words } from '../../../shell/language.ts';
import { ComponentsField } from './components-field.tsx';
import {
  emptyDraft,
  STATUSES,
  updateDraft,
  withComponent,
  withStatus,
  withTemplate,
  type Component,
  type Draft,
  type Incident,
  type Kind,
} from './draft.ts';
import { canBePreviewed, newIncidentBody, newUpdateBody } from './bodies.ts';
import { MoreFields } from './more-fields.tsx';
import { OthersNotice } from './others-notice.tsx';
import { Audience, PreviewPane } from './preview-pane.tsx';
import { publish, unseenUpdates, type PublicationIds } from './publish.ts';
import { ScheduleSwitches, ScheduleTimes } from './schedule-fields.tsx';
import { Segments } from './segments.tsx';
import type { DraftLocation } from './stored-draft.ts';
import { TemplateMenu } from './template-menu.tsx';
import { draftIn, fill, useDraft } from './use-draft.ts';
import { usePreview, type PreviewInput } from './use-preview.ts';

export interface EditorProps {
  page: Schemas['Page'];
  /** components and groups of the page */
  components: readonly Component[];
  /** null: the draft is a new incident */
  incident: Incident | null;
  kind: Kind;
  /** initial values of a new incident, for example from a template */
  preset?: Partial<Draft>;
  onPublished: (done: PublicationIds) => void;
}

const NO_UPDATES: Incident['incident_updates'] = [];

/** Returns the storage location of a writer's draft. */
const draftLocationOf = ({ page, incident, kind }: EditorProps): DraftLocation => ({
  user_id: user.value?.id ?? '',
  page_id: page.id,
  incident_id: incident?.id ?? null,
  kind,
});

/** Edits and publishes an incident, a maintenance or an update, with a preview next to it. */
export const Editor = (props: EditorProps): JSX.Element => {
  const { page, components, incident, kind, preset = {}, onPublished } = props;
  const isNew = incident === null;
  const place = draftLocationOf(props);
  const updates = incident?.incident_updates ?? NO_UPDATES;
  const ids = updates.map(({ id }) => id);
  const open = useDraft(place, incident ? updateDraft(incident) : emptyDraft(kind), ids, preset);
  const { fields } = open;
  const of = useSubmit();
  const side = useSignal<'write' | 'preview'>('write');
  const form = useRef<HTMLDivElement>(null);
  const attempt = useRef({ text: '', key: '' });
  const found = useSignal<Incident['incident_updates']>([]);
  const draft = draftIn(fields);
  const { incidents: says } = words.value;

  const others = [...updates, ...found.value.filter(({ id }) => !ids.includes(id))].filter(
    ({ id }) => !open.seen.value.includes(id),
  );
  const preview = usePreview(
    canBePreviewed(draft, kind, isNew) ? previewed(page.id, incident?.id ?? null, draft, kind) : null,
  );

  const send = async (): Promise<void> => {
    const wanted = draftIn(fields);
    if (incident) {
      found.value = await unseenUpdates(incident, open.seen.value);
      if (found.value.length > 0) {
        side.value = 'write';
        return;
      }
    }
    const text = JSON.stringify(wanted);
    if (attempt.current.text !== text) attempt.current = { text, key: newIdempotencyKey() };
    const done = await publish(place, wanted, { attempt: attempt.current.key, notFuture: says.notFuture });
    attempt.current = { text: '', key: '' };
    open.discard();
    open.seen.value = [...ids, done.update_id];
    onPublished(done);
  };
  const named = incident?.components ?? [];
  return (
    <div
      ref={form}
      class="message-editor"
      data-side={side.value}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        form.current?.querySelector('form')?.requestSubmit();
      }}
    >
      <div class="editor-sides">
        <Segments
          legend={says.write}
          quiet
          value={side.value}
          options={[
            { value: 'write', label: says.write },
            { value: 'preview', label: says.preview },
          ]}
          onChoose={(value) => {
            side.value = value;
          }}
        />
      </div>
      <div class="editor-write">
        {open.restored.value && open.isWritten() && (
          <div class="notice restored" role="status">
            <span>{says.restored}</span>
            <button type="button" class="button" onClick={open.discard}>
              {says.discard}
            </button>
          </div>
        )}
        {open.isWritten() && others.length > 0 && (
          <OthersNotice
            updates={others}
            onSeen={() => {
              open.seen.value = [...open.seen.value, ...others.map(({ id }) => id)];
              found.value = [];
            }}
          />
        )}
        <TemplateMenu
          page_id={page.id}
          kind={kind}
          onChoose={(template) => {
            fill(fields, withTemplate(draftIn(fields), template, new Set(components.map(({ id }) => id))));
          }}
        />
        <Form
          submit={kind === 'maintenance' && isNew ? says.schedule : says.publish}
          of={of}
          onSubmit={send}
          buttons={
            <>
              <kbd class="fine">{says.publishKey}</kbd>
              <Audience preview={preview.preview} />
            </>
          }
        >
          {isNew && (
            <Field
              label={says.name}
              name="name"
              value={fields.name}
              maxLength={200}
              problem={of.problemOf('name')}
              placeholder={kind === 'maintenance' ? says.maintenanceExample : says.incidentExample}
              autoFocus
            />
          )}
          {kind === 'maintenance' && isNew ? (
            <ScheduleTimes fields={fields} of={of} zone={page.time_zone} />
          ) : (
            <Segments
              legend={says.status}
              value={draft.status}
              options={STATUSES[kind].map((value) => ({ value, label: says.statuses[value] }))}
              onChoose={(status) => {
                fill(fields, withStatus(draftIn(fields), status, named));
              }}
            />
          )}
          <TextArea
            label={says.message}
            name="body"
            value={fields.body}
            rows={7}
            hint={says.markdown}
            problem={of.problemOf('body')}
            optional={!isNew}
          />
          <ComponentsField
            value={draft.components}
            components={components}
            named={named.map(({ id }) => id)}
            problem={of.problemOf('components')}
            kind={kind}
            onChange={(id, status) => {
              fill(fields, withComponent(draftIn(fields), id, status));
            }}
          />
          <Checkbox
            label={says.notify}
            name="deliver_notifications"
            value={fields.deliver_notifications}
            hint={fields.deliver_notifications.value ? says.notifyHint : says.silentHint}
            problem={of.problemOf('deliver_notifications')}
          />
          {isNew && kind === 'maintenance' && <ScheduleSwitches fields={fields} of={of} />}
          {(isNew || kind === 'incident') && <MoreFields fields={fields} of={of} isNew={isNew} kind={kind} />}
        </Form>
      </div>
      <PreviewPane state={preview} root={`status/${page.subdomain}/`} />
    </div>
  );
};

const previewed = (page_id: string, incident_id: string | null, draft: Draft, kind: Kind): PreviewInput =>
  incident_id === null
    ? { page_id, incident_id, body: newIncidentBody(draft, kind) }
    : { page_id, incident_id, body: newUpdateBody(draft) };

/**
 * Returns a unique idempotency key. Does not use `randomUUID`, which browsers provide only over https and on loopback.
 */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
