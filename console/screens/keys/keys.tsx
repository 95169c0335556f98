import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { personText } from '../../parts/person.ts';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Moment, momentOf, Since } from '../../parts/times/since.tsx';
import { call } from '../../session/call.ts';
import { roleText } from '../../session/role-names.ts';
import { words } from '../../shell/language.ts';
import { NewKey } from './new-key.tsx';
import { TokenDrawer, type CreatedKey } from './token.tsx';

type Key = Schemas['ApiKey'];

interface Keys {
  keys: readonly Key[];
  /** names of people by id */
  people: ReadonlyMap<string, string>;
}

const KEYS: LiveSource<Keys> = {
  load: async (signal) => {
    const [keys, users] = await Promise.all([
      call('GET /v1/api-keys', {}, { signal }),
      call('GET /v1/users', {}, { signal }),
    ]);
    return { keys, people: new Map(users.map((user) => [user.id, personText(user)])) };
  },
  resources: ['api_key'],
  merge: () => null,
};

/** The list of API keys. Admins see all keys, other users only their own. */
const ApiKeys = (): JSX.Element => {
  const live = useLive(KEYS, []);
  const isMaking = useSignal(false);
  const made = useSignal<CreatedKey | null>(null);
  const revoked = useSignal<Key | null>(null);
  const says = words.value.keys;
  const columnsFor = ({ people }: Keys): Column<Key>[] => [
    {
      name: 'name',
      label: words.value.common.name,
      kind: 'key',
      cell: ({ name, prefix }) => (
        <span class="stacked">
          <bdi>{name}</bdi>
          <code class="fine">{prefix}…</code>
        </span>
      ),
    },
    { name: 'role', label: words.value.people.role, cell: ({ role }) => roleText(role) },
    {
      name: 'by',
      label: says.madeBy,
      cell: ({ created_by }) =>
        created_by === null ? says.operator : <bdi>{people.get(created_by) ?? says.somebody}</bdi>,
    },
    {
      name: 'from',
      label: says.allowedIps,
      cell: ({ allowed_ips }) => (allowed_ips.length === 0 ? says.anywhere : <bdi>{allowed_ips.join(', ')}</bdi>),
    },
    { name: 'expires', label: says.expires, cell: (key) => <Expiry of={key} /> },
    {
      name: 'used',
      label: says.lastUsed,
      cell: ({ last_used_at }) => (last_used_at === null ? words.value.people.never : <Since instant={last_used_at} />),
    },
    { name: 'since', label: words.value.common.created, cell: ({ created_at }) => <Since instant={created_at} /> },
    {
      name: 'do',
      label: words.value.common.actions,
      kind: 'actions',
      cell: (key) => (
        <button
          class="button quiet"
          aria-label={`${says.revoke}: ${key.name}`}
          onClick={() => {
            revoked.value = key;
          }}
        >
          {says.revoke}
        </button>
      ),
    },
  ];
  const revoking = revoked.value;
  return (
    <>
      <ScreenHead title={words.value.screens.keys}>
        <button
          class="button primary"
          onClick={() => {
            isMaking.value = true;
          }}
        >
          <Icon name="add" /> {says.make}
        </button>
      </ScreenHead>
      <p class="lead">{says.text}</p>
      <LoadedView of={live}>
        {(value) =>
          value.keys.length === 0 ? (
            <p class="fine">{says.none}</p>
          ) : (
            <DataTable
              label={words.value.screens.keys}
              columns={columnsFor(value)}
              rows={value.keys}
              keyOf={({ id }) => id}
            />
          )
        }
      </LoadedView>
      {isMaking.value && (
        <NewKey
          onClose={() => {
            isMaking.value = false;
          }}
          onMade={(key) => {
            isMaking.value = false;
            made.value = key;
            live.again();
          }}
        />
      )}
      {made.value && (
        <TokenDrawer
          made={made.value}
          onClose={() => {
            made.value = null;
          }}
        />
      )}
      {revoking && (
        <ConfirmDialog
          title={says.revokeTitle}
          text={
            <p>
              <bdi>{revoking.name}</bdi>: {says.revokeText}
            </p>
          }
          action={says.revoke}
          danger
          onClose={() => {
            revoked.value = null;
          }}
          onConfirm={async () => {
            await call('DELETE /v1/api-keys/{key_id}', { params: { key_id: revoking.id } });
            live.change(({ keys, people }) => ({ people, keys: keys.filter(({ id }) => id !== revoking.id) }));
          }}
        />
      )}
    </>
  );
};
export default ApiKeys;

const Expiry = ({ of: { expires_at } }: { of: Key }): JSX.Element => {
  const says = words.value.keys;
  if (expires_at === null) return <>{words.value.people.never}</>;
  return momentOf(expires_at) <= Date.now() ? (
    <span class="expired">{says.expired}</span>
  ) : (
    <Moment instant={expires_at} />
  );
};
