import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { StatePill } from '../../../views/status/state.tsx';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { namesOf, personText } from '../../parts/person.ts';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Since } from '../../parts/times/since.tsx';
import { hrefOf, currentLocation } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { roleText } from '../../session/role-names.ts';
import { user as signedIn } from '../../session/session.ts';
import { words } from '../../shell/language.ts';
import { Invite, LinkDrawer, type SentInvitation } from './invite.tsx';
import { RoleDrawer } from './role.tsx';

type User = Schemas['User'];

const peopleOf = (removed: boolean): LiveSource<readonly User[]> => ({
  load: (signal) =>
    call('GET /v1/users', { query: { status: removed ? ['disabled'] : ['invited', 'active'] } }, { signal }),
  resources: ['user'],
  merge: () => null,
});

/** The action whose dialog is open. */
type CurrentAction =
  | { what: 'invite' }
  | { what: 'link'; invited: SentInvitation }
  | { what: 'role' | 'remove' | 'resend'; user: User }
  | null;

/** The members of the organization, and invited people. */
const People = (): JSX.Element => {
  const removed = currentLocation.value.query.get('show') === 'removed';
  const live = useLive(peopleOf(removed), [removed]);
  const doing = useSignal<CurrentAction>(null);
  const says = words.value.people;
  const done = (): void => {
    doing.value = null;
  };
  const doingNow = doing.value;
  const columns: Column<User>[] = [
    { name: 'person', label: says.person, kind: 'key', cell: (user) => <Person user={user} /> },
    { name: 'role', label: says.role, cell: ({ role }) => roleText(role) },
    { name: 'status', label: says.status, cell: ({ status }) => <Status status={status} /> },
    {
      name: 'last',
      label: says.lastSignIn,
      cell: ({ last_login }) => (last_login === null ? says.never : <Since instant={last_login} />),
    },
    { name: 'since', label: words.value.common.created, cell: ({ created_at }) => <Since instant={created_at} /> },
    ...(may('POST /v1/users/invite') && !removed
      ? [
          {
            name: 'do',
            label: words.value.common.actions,
            kind: 'actions' as const,
            cell: (user: User) => (
              <Actions
                user={user}
                onChoose={(what) => {
                  doing.value = { what, user };
                }}
              />
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <ScreenHead title={words.value.screens.people}>
        {may('POST /v1/users/invite') && (
          <button
            class="button primary"
            onClick={() => {
              doing.value = { what: 'invite' };
            }}
          >
            <Icon name="add" /> {says.invite}
          </button>
        )}
      </ScreenHead>
      <nav class="tabs" aria-label={words.value.screens.people}>
        <ul>
          <li>
            <a href={hrefOf('/people')} aria-current={removed ? undefined : 'page'}>
              {says.members}
            </a>
          </li>
          <li>
            <a href={hrefOf('/people?show=removed')} aria-current={removed ? 'page' : undefined}>
              {says.removed}
            </a>
          </li>
        </ul>
      </nav>
      <LoadedView of={live}>
        {(users) =>
          users.length === 0 ? (
            <p class="fine">{removed ? says.nobodyRemoved : says.nobody}</p>
          ) : (
            <DataTable label={words.value.screens.people} columns={columns} rows={users} keyOf={({ id }) => id} />
          )
        }
      </LoadedView>
      {doingNow?.what === 'invite' && (
        <Invite
          onClose={done}
          onInvited={(invited) => {
            live.again();
            doing.value = invited.url === null ? null : { what: 'link', invited };
          }}
        />
      )}
      {doingNow?.what === 'link' && <LinkDrawer invited={doingNow.invited} onClose={done} />}
      {doingNow?.what === 'role' && <RoleDrawer user={doingNow.user} onClose={done} onChanged={live.again} />}
      {doingNow?.what === 'resend' && (
        <ConfirmDialog
          title={says.resendTitle}
          text={
            <p>
              {says.resendText} <bdi>{doingNow.user.email}</bdi>
            </p>
          }
          action={says.resend}
          onClose={() => {
            if (doing.value?.what === 'resend') done();
          }}
          onConfirm={async () => {
            const { email, id: user_id } = doingNow.user;
            const answer = await call('POST /v1/users/{user_id}/resend-invitation', { params: { user_id } });
            if (answer.invitation_url !== undefined)
              doing.value = { what: 'link', invited: { email, url: answer.invitation_url } };
          }}
        />
      )}
      {doingNow?.what === 'remove' && (
        <ConfirmDialog
          title={says.removeTitle}
          text={<p>{says.removeText}</p>}
          action={words.value.common.remove}
          danger
          name={doingNow.user.email}
          onClose={done}
          onConfirm={async () => {
            await call('DELETE /v1/users/{user_id}', { params: { user_id: doingNow.user.id } });
            live.again();
          }}
        />
      )}
    </>
  );
};
export default People;

const Person = ({ user }: { user: User }): JSX.Element => (
  <span class="stacked">
    <bdi>{personText(user)}</bdi>
    {namesOf(user) !== '' && <bdi class="fine">{user.email}</bdi>}
    {user.id === signedIn.value?.id && <span class="fine">{words.value.people.you}</span>}
  </span>
);

const Status = ({ status }: { status: User['status'] }): JSX.Element => (
  <StatePill
    state={({ active: 'operational', invited: 'maintenance', disabled: 'none' } as const)[status]}
    label={words.value.people.statuses[status]}
  />
);

const Actions = ({
  user,
  onChoose,
}: {
  user: User;
  onChoose: (what: 'role' | 'remove' | 'resend') => void;
}): JSX.Element => {
  const says = words.value.people;
  return (
    <Menu label={`${words.value.common.actions}: ${personText(user)}`} icon="more">
      <button
        onClick={() => {
          onChoose('role');
        }}
      >
        {says.changeRole}
      </button>
      {user.status === 'invited' && (
        <button
          onClick={() => {
            onChoose('resend');
          }}
        >
          {says.resend}
        </button>
      )}
      <a href={hrefOf(`/sessions?user=${user.id}`)}>{words.value.screens.sessions}</a>
      <a href={hrefOf(`/audit?actor=${user.id}`)}>{words.value.screens.audit}</a>
      <button
        class="danger"
        onClick={() => {
          onChoose('remove');
        }}
      >
        {words.value.common.remove}
      </button>
    </Menu>
  );
};
