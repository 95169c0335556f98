import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Failure } from '../../api/failure.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Link } from '../../parts/link.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { navigate } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';

interface HeadProps {
  heartbeat: Schemas['Heartbeat'];
  onChange: (heartbeat: Schemas['Heartbeat']) => void;
}

/** The name of a heartbeat, and its actions. */
export const Head = ({ heartbeat, onChange }: HeadProps): JSX.Element => {
  const { id, name, active, recent_pings } = heartbeat;
  const busy = useSignal(false);
  const failure = useSignal<Failure | null>(null);
  const deleting = useSignal(false);
  const { heartbeats: says, common, screens } = words.value;
  const params = { heartbeat_key: id };

  const toggle = async (): Promise<void> => {
    busy.value = true;
    failure.value = null;
    try {
      const next = await call('PATCH /v1/heartbeats/{heartbeat_key}', { params, body: { active: !active } });
      onChange({ ...next, ...(recent_pings && { recent_pings }) });
    } catch (error) {
      failure.value = error as Failure;
    } finally {
      busy.value = false;
    }
  };
  const remove = async (): Promise<void> => {
    await call('DELETE /v1/heartbeats/{heartbeat_key}', { params });
    navigate('/heartbeats');
  };
  return (
    <>
      <ScreenHead title={name} isName of={heartbeat} back={{ to: '/heartbeats', label: screens.heartbeats }}>
        {may('PATCH /v1/heartbeats/{heartbeat_key}') && (
          <>
            <button class="button" disabled={busy.value} onClick={() => void toggle()}>
              {active ? says.pause : says.resume}
            </button>
            <Link to={`/heartbeats/${id}/edit`} class="button">
              {common.edit}
            </Link>
          </>
        )}
        {may('POST /v1/heartbeats') && (
          <Link to={`/heartbeats/new?from=${id}`} class="button">
            {says.clone}
          </Link>
        )}
        {may('DELETE /v1/heartbeats/{heartbeat_key}') && (
          <button
            class="button danger"
            onClick={() => {
              deleting.value = true;
            }}
          >
            {common.delete}
          </button>
        )}
      </ScreenHead>
      {failure.value && <FailureLine failure={failure.value} />}
      {deleting.value && (
        <ConfirmDialog
          title={says.deleteTitle}
          text={
            <>
              <p>
                <bdi>{name}</bdi>
              </p>
              <p>{says.deleteText}</p>
            </>
          }
          action={common.delete}
          danger
          onConfirm={remove}
          onClose={() => {
            deleting.value = false;
          }}
        />
      )}
    </>
  );
};
