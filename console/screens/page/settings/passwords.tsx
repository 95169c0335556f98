import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLive, type LiveSource } from '../../../live/live-data.ts';
import { ConfirmDialog } from '../../../parts/overlays/confirm-dialog.tsx';
import { DataTable, type Column } from '../../../parts/data-table.tsx';
import { FailureLine } from '../../../parts/failure-line.tsx';
import { FailurePanel } from '../../../parts/failure-panel.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { Menu } from '../../../parts/overlays/menu.tsx';
import { Moment } from '../../../parts/times/since.tsx';
import type { Failure } from '../../../api/failure.ts';
import { call } from '../../../session/call.ts';
import { may } from '../../../session/permissions.ts';
import { words } from '../../../shell/language.ts';
import { Empty } from '../../pages/empty.tsx';
import type { TabProps } from '../tab-props.ts';
import { PasswordDrawer, type PagePassword } from './password-drawer.tsx';

/** Maximum number of passwords of a page (docs/reference/page-passwords.md#endpoints). */
const MOST = 20;

const sourceOf = (page_id: string): LiveSource<readonly PagePassword[]> => ({
  load: (signal) => call('GET /v1/pages/{page_id}/passwords', { params: { page_id } }, { signal }),
  resources: ['page_password'],
  merge: (value, changes) => (changes.some((change) => change.page_id === page_id) ? null : value),
});

/** The passwords of a page. */
export const Passwords = ({ page }: TabProps): JSX.Element => {
  const { loaded, again } = useLive(sourceOf(page.id), [page.id]);
  const edited = useSignal<{ stored: PagePassword | null } | null>(null);
  const removed = useSignal<PagePassword | null>(null);
  const failure = useSignal<Failure | null>(null);
  const { pageSettings, common } = words.value;
  const says = pageSettings.passwords;
  if (loaded.status === 'loading') return <Loading />;
  const passwords = loaded.value;
  if (!passwords)
    return loaded.status === 'failed' ? <FailurePanel failure={loaded.failure} again={again} /> : <Loading />;
  const add = may('POST /v1/pages/{page_id}/passwords') && passwords.length < MOST && (
    <div class="actions">
      <button
        type="button"
        class="button primary"
        onClick={() => {
          edited.value = { stored: null };
        }}
      >
        <Icon name="add" /> {says.add}
      </button>
    </div>
  );
  const toggle = async ({ id, active }: PagePassword): Promise<void> => {
    failure.value = null;
    try {
      const params = { page_id: page.id, password_id: id };
      await call('PATCH /v1/pages/{page_id}/passwords/{password_id}', { params, body: { active: !active } });
      again();
    } catch (error) {
      failure.value = error as Failure;
    }
  };
  const columns = columnsOf({
    onEdit: (stored) => {
      edited.value = { stored };
    },
    onToggle: (stored) => void toggle(stored),
    onDelete: (stored) => {
      removed.value = stored;
    },
  });
  return (
    <section class="passwords">
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {failure.value && <FailureLine failure={failure.value} />}
      {passwords.length === 0 ? (
        <Empty title={says.none} text={says.noneText}>
          {add}
        </Empty>
      ) : (
        <>
          {add}
          <p class="fine">
            {says.text} {passwords.length >= MOST - 2 && says.most(MOST)}
          </p>
          <DataTable
            label={pageSettings.passwords.password}
            columns={columns}
            rows={passwords}
            keyOf={({ id }) => id}
          />
        </>
      )}
      {edited.value && (
        <PasswordDrawer
          page_id={page.id}
          stored={edited.value.stored}
          onSaved={again}
          onClose={() => {
            edited.value = null;
          }}
        />
      )}
      {removed.value && (
        <ConfirmDialog
          title={says.deleteTitle}
          text={
            <>
              <bdi>{removed.value.name}</bdi>. {says.deleteText}
            </>
          }
          action={common.delete}
          danger
          onConfirm={async () => {
            const params = { page_id: page.id, password_id: removed.value?.id ?? '' };
            await call('DELETE /v1/pages/{page_id}/passwords/{password_id}', { params });
            again();
          }}
          onClose={() => {
            removed.value = null;
          }}
        />
      )}
    </section>
  );
};

interface PasswordActions {
  onEdit: (stored: PagePassword) => void;
  onToggle: (stored: PagePassword) => void;
  onDelete: (stored: PagePassword) => void;
}

const columnsOf = ({ onEdit, onToggle, onDelete }: PasswordActions): readonly Column<PagePassword>[] => {
  const { pageSettings, common, components } = words.value;
  const says = pageSettings.passwords;
  const statusOf = ({ is_expired, active }: PagePassword): string =>
    says.statuses[is_expired ? 'expired' : active ? 'active' : 'inactive'];
  const columns: Column<PagePassword>[] = [
    { name: 'name', label: common.name, kind: 'key', cell: ({ name }) => <bdi>{name}</bdi> },
    { name: 'hint', label: says.hint, kind: 'wide', cell: ({ password_hint: hint }) => hint && <bdi>{hint}</bdi> },
    { name: 'status', label: components.status, cell: statusOf },
    {
      name: 'expires',
      label: says.expires,
      cell: ({ expires_at }) => (expires_at === null ? says.never : <Moment instant={expires_at} />),
    },
    { name: 'created', label: common.created, cell: ({ created_at }) => <Moment instant={created_at} /> },
  ];
  if (!may('PATCH /v1/pages/{page_id}/passwords/{password_id}')) return columns;
  return [
    ...columns,
    {
      name: 'row-actions',
      label: common.actions,
      kind: 'actions',
      cell: (stored) => (
        <Menu label={`${common.actions}: ${stored.name}`} icon="more">
          <button
            type="button"
            onClick={() => {
              onEdit(stored);
            }}
          >
            {common.edit}
          </button>
          <button
            type="button"
            onClick={() => {
              onToggle(stored);
            }}
          >
            {stored.active ? says.deactivate : says.activate}
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              onDelete(stored);
            }}
          >
            {common.delete}
          </button>
        </Menu>
      ),
    },
  ];
};
