import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { sentenceOf } from '../../../parts/failure-panel.tsx';
import { TextArea } from '../../../parts/form/text-area.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { RenderedHtml } from '../../../parts/rendered-html.tsx';
import { Moment } from '../../../parts/times/since.tsx';
import { call } from '../../../session/call.ts';
import { words } from '../../../shell/language.ts';
import { Segments } from '../editor/segments.tsx';
import { usePreview } from '../editor/use-preview.ts';
import type { IncidentView } from '../source.ts';
import { draftingOf, POSTMORTEM, type Draft, type Drafting } from './saving.ts';

export interface PostmortemEditorProps {
  view: IncidentView;
  /** null: none yet */
  postmortem: Draft | null;
  onPublished: () => void;
  /** loads the version that another user saved */
  onReload: () => void;
}

/** Maximum length of a text that can be previewed, in characters. It equals the maximum length of an update. */
const MOST_PREVIEWED = 25_000;

/** Edits the draft of a postmortem, saves it automatically, and publishes it on request. */
export const PostmortemEditor = (props: PostmortemEditorProps): JSX.Element => {
  const { view, postmortem, onPublished, onReload } = props;
  const { incident, page } = view;
  const params = { page_id: page.id, incident_id: incident.id };
  const text = useSignal(postmortem?.body_draft ?? '');
  const notify = useSignal(postmortem?.notify_subscribers ?? true);
  const side = useSignal<'write' | 'preview'>('write');
  const drafting = useMemo(() => draftingOf(params, postmortem), []);
  const of = useSubmit();
  const { incidents: says } = words.value;
  useEffect(
    () =>
      text.subscribe((value) => {
        if (value !== (postmortem?.body_draft ?? '')) drafting.write(value);
      }),
    [],
  );
  useEffect(() => drafting.end, []);
  const { preview, busy } = usePreview(
    text.value.trim() === ''
      ? null
      : {
          page_id: page.id,
          incident_id: incident.id,
          body: { status: incident.status, body: text.value.slice(0, MOST_PREVIEWED), deliver_notifications: false },
        },
  );
  const publish = async (): Promise<void> => {
    if (!(await drafting.saveNow())) return;
    await call(`PUT ${POSTMORTEM}/publish`, { params, body: { notify_subscribers: notify.value } });
    onPublished();
  };
  return (
    <div class="message-editor" data-side={side.value}>
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
        <Form submit={says.publishPostmortem} of={of} onSubmit={publish} buttons={<SavingLine drafting={drafting} />}>
          <TextArea
            label={says.postmortem}
            name="body_draft"
            value={text}
            rows={16}
            hint={says.markdown}
            placeholder={says.postmortemExample}
            problem={of.problemOf('body_draft')}
          />
          <Checkbox label={says.notify} name="notify_subscribers" value={notify} />
        </Form>
        {drafting.saving.value.status === 'others' && (
          <div class="notice others" role="alert">
            <span>{words.value.common.changedMeanwhile}</span>
            <button type="button" class="button" onClick={onReload}>
              {words.value.common.loadTheirs}
            </button>
            <button type="button" class="button" onClick={() => void drafting.saveNow()}>
              {words.value.common.saveAnyway}
            </button>
          </div>
        )}
      </div>
      <section class="message-preview" aria-label={says.preview} aria-busy={busy}>
        {preview === null ? (
          <p class="muted nothing-yet">{says.previewEmpty}</p>
        ) : (
          <RenderedHtml
            html={preview.feed?.html ?? preview.page.html}
            label={says.preview}
            {...(preview.feed === null && { root: `status/${page.subdomain}/` })}
          />
        )}
      </section>
    </div>
  );
};

/** Shows whether all changes of the draft are saved. */
const SavingLine = ({ drafting }: { drafting: Drafting }): JSX.Element | null => {
  const saving = drafting.saving.value;
  const { incidents: says } = words.value;
  switch (saving.status) {
    case 'saved':
      return saving.at === null ? null : (
        <span class="fine" role="status">
          {says.draftSaved} <Moment instant={saving.at} />
        </span>
      );
    case 'waiting':
      return (
        <span class="fine" role="status">
          {says.draftSaving}
        </span>
      );
    case 'failed':
      return (
        <span class="problem" role="alert">
          {says.draftNotSaved} {sentenceOf(saving.failure)}
        </span>
      );
    case 'others':
      return null;
  }
};
