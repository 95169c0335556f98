import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Failure } from '../../../api/failure.ts';
import { ConfirmDialog } from '../../../parts/overlays/confirm-dialog.tsx';
import { FailurePanel } from '../../../parts/failure-panel.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { Moment } from '../../../parts/times/since.tsx';
import { call } from '../../../session/call.ts';
import { useLoaded } from '../../../session/loaded.ts';
import { may } from '../../../session/permissions.ts';
import { words } from '../../../shell/language.ts';
import type { IncidentView } from '../source.ts';
import { PostmortemEditor } from './postmortem-editor.tsx';
import { POSTMORTEM, type Draft } from './saving.ts';

export interface PostmortemProps {
  view: IncidentView;
  again: () => void;
}

/** The postmortem of an incident: its published text and its draft. */
export const Postmortem = ({ view, again }: PostmortemProps): JSX.Element => {
  const { incident, page } = view;
  const params = { page_id: page.id, incident_id: incident.id };
  const { loaded, again: reload } = useLoaded(
    async (signal): Promise<Draft | null> => {
      try {
        return await call(`GET ${POSTMORTEM}`, { params }, { signal });
      } catch (error) {
        if (error instanceof Failure && error.status === 404) return null;
        throw error;
      }
    },
    [incident.id, incident.postmortem_published_at],
  );
  const asked = useSignal(false);
  const { incidents: says } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') return <FailurePanel failure={loaded.failure} again={reload} />;
  const { value: postmortem } = loaded;
  if (!may(`PUT ${POSTMORTEM}`)) return <Read postmortem={postmortem} />;
  return (
    <>
      {postmortem?.published_at != null && (
        <p class="incident-state">
          <span>
            {says.postmortemPublished} <Moment instant={postmortem.published_at} />
          </span>
          <button
            class="button"
            onClick={() => {
              asked.value = true;
            }}
          >
            {says.unpublishPostmortem}
          </button>
        </p>
      )}
      {asked.value && (
        <ConfirmDialog
          {...says.asks.unpublish}
          onConfirm={async () => {
            await call(`PUT ${POSTMORTEM}/unpublish`, { params });
            again();
            reload();
          }}
          onClose={() => {
            asked.value = false;
          }}
        />
      )}
      <PostmortemEditor
        key={`${incident.id} ${postmortem?.body_draft_updated_at ?? ''} ${postmortem?.published_at ?? ''}`}
        view={view}
        postmortem={postmortem}
        onPublished={() => {
          again();
          reload();
        }}
        onReload={reload}
      />
    </>
  );
};

const Read = ({ postmortem }: { postmortem: Draft | null }): JSX.Element => {
  const { incidents: says } = words.value;
  const text = postmortem?.body ?? postmortem?.body_draft ?? null;
  if (text === null) return <p class="muted">{says.noPostmortem}</p>;
  return (
    <section class="timeline">
      <p class="hint">
        {postmortem?.published_at == null ? (
          says.draftOnly
        ) : (
          <>
            {says.postmortemPublished} <Moment instant={postmortem.published_at} />
          </>
        )}
      </p>
      <p class="body" dir="auto">
        {text}
      </p>
    </section>
  );
};
