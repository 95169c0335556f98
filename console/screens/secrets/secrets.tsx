import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLive } from '../../live/live-data.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Drawer } from '../../parts/overlays/drawer.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Moment } from '../../parts/times/since.tsx';
import { Toast } from '../../parts/overlays/toast.tsx';
import { ManagedBadge } from '../../parts/managed.tsx';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { SecretForm, ValueForm } from './secret-form.tsx';
import { SECRETS } from './sources.ts';

type Secret = Schemas['Secret'];

/** The current action on a secret. */
type Action = { kind: 'create' } | { kind: 'replace' | 'delete'; secret: Secret };

const TOAST_MS = 5_000;

/** The list of the organization's secrets. It shows their names, never their values. */
const Secrets = (): JSX.Element => {
  const { loaded, again } = useLive(SECRETS, []);
  const action = useSignal<Action | null>(null);
  const done = useSignal<string | null>(null);
  const { secrets: says, common } = words.value;
  const close = (): void => {
    action.value = null;
  };
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed' && loaded.value === null)
    return <FailurePanel failure={loaded.failure} again={again} />;
  const secrets = loaded.value ?? [];
  const create = may('POST /v1/secrets') && (
    <button
      class="button primary"
      onClick={() => {
        action.value = { kind: 'create' };
      }}
    >
      <Icon name="add" /> {says.create}
    </button>
  );
  const now = action.value;
  return (
    <>
      <ScreenHead title={says.title}>{secrets.length > 0 && create}</ScreenHead>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {secrets.length === 0 ? (
        <section class="panel">
          <h2>{says.none}</h2>
          <p>{says.noneText}</p>
          {create}
        </section>
      ) : (
        <>
          <p class="lead">{says.text}</p>
          <DataTable
            label={says.title}
            rows={secrets}
            keyOf={({ id }) => id}
            columns={[
              {
                name: 'name',
                label: says.name,
                kind: 'key',
                cell: (secret) => (
                  <>
                    <code>{secret.secret_name}</code>
                    <ManagedBadge of={secret} />
                  </>
                ),
              },
              { name: 'created', label: common.created, cell: ({ created_at }) => <Moment instant={created_at} /> },
              { name: 'updated', label: says.updated, cell: ({ updated_at }) => <Moment instant={updated_at} /> },
              {
                name: 'actions',
                label: common.actions,
                kind: 'actions',
                cell: (secret) => <Actions secret={secret} onAction={(next) => (action.value = next)} />,
              },
            ]}
          />
        </>
      )}
      {now?.kind === 'create' && (
        <Drawer title={says.create} onClose={close}>
          <SecretForm
            onDone={() => {
              close();
              again();
            }}
          />
        </Drawer>
      )}
      {now?.kind === 'replace' && (
        <Drawer title={now.secret.secret_name} onClose={close}>
          <ValueForm
            secret={now.secret}
            onDone={() => {
              done.value = says.replaced(now.secret.secret_name);
              close();
              again();
            }}
          />
        </Drawer>
      )}
      {now?.kind === 'delete' && <Delete secret={now.secret} onClose={close} onDone={again} />}
      {done.value !== null && (
        <Toast
          ms={TOAST_MS}
          onClose={() => {
            done.value = null;
          }}
        >
          {done.value}
        </Toast>
      )}
    </>
  );
};
export default Secrets;

const Actions = ({ secret, onAction }: { secret: Secret; onAction: (action: Action) => void }): JSX.Element | null => {
  const { secrets: says, common } = words.value;
  const mayReplace = may('PATCH /v1/secrets/{secret_id}');
  const mayDelete = may('DELETE /v1/secrets/{secret_id}');
  if (!mayReplace && !mayDelete) return null;
  return (
    <Menu label={`${common.actions}: ${secret.secret_name}`} icon="more">
      {mayReplace && (
        <button
          type="button"
          onClick={() => {
            onAction({ kind: 'replace', secret });
          }}
        >
          {says.replace}
        </button>
      )}
      {mayDelete && (
        <button
          type="button"
          onClick={() => {
            onAction({ kind: 'delete', secret });
          }}
        >
          {common.delete}
        </button>
      )}
    </Menu>
  );
};

interface DeleteProps {
  secret: Secret;
  onClose: () => void;
  onDone: () => void;
}

/** Confirms the deletion of a secret. If checks use the secret, the API rejects the deletion and names the checks. */
const Delete = ({ secret, onClose, onDone }: DeleteProps): JSX.Element => {
  const { secrets: says, common } = words.value;
  return (
    <ConfirmDialog
      title={says.deleteTitle(secret.secret_name)}
      text={says.deleteText}
      action={common.delete}
      danger
      onConfirm={async () => {
        await call('DELETE /v1/secrets/{secret_id}', { params: { secret_id: secret.id } });
        onDone();
      }}
      onClose={onClose}
    />
  );
};
