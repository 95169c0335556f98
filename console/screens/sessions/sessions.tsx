import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { personText } from '../../parts/person.ts';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Moment, Since } from '../../parts/times/since.tsx';
import { currentLocation } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { user as signedIn } from '../../session/session.ts';
import { words } from '../../shell/language.ts';
import { browserOf } from './browser.ts';

type Session = Schemas['Session'];

/** The list of the user's sessions. Admins can also see the sessions of another user, with `?user=` in the URL. */
const Sessions = (): JSX.Element => {
  const own = signedIn.value?.id ?? '';
  const userId = currentLocation.value.query.get('user') ?? own;
  const isOwn = userId === own;
  const ending = useSignal<Session | 'all' | null>(null);
  const says = words.value.sessions;
  const live = useLoaded(
    async (signal) => {
      const params = { user_id: userId };
      const [sessions, user] = await Promise.all([
        call('GET /v1/users/{user_id}/sessions', { params }, { signal }),
        isOwn ? null : call('GET /v1/users/{user_id}', { params }, { signal }),
      ]);
      return { sessions, name: user && personText(user) };
    },
    [userId],
  );
  const columns: Column<Session>[] = [
    {
      name: 'browser',
      label: says.browser,
      kind: 'key',
      cell: ({ user_agent, current }) => (
        <span class="stacked">
          <bdi title={user_agent ?? undefined}>{browserOf(user_agent) ?? says.unknown}</bdi>
          {current && <span class="fine">{says.current}</span>}
        </span>
      ),
    },
    { name: 'address', label: says.address, cell: ({ ip_address }) => <bdi>{ip_address ?? '–'}</bdi> },
    { name: 'begun', label: says.begun, cell: ({ created_at }) => <Moment instant={created_at} /> },
    { name: 'used', label: words.value.keys.lastUsed, cell: ({ last_used_at }) => <Since instant={last_used_at} /> },
    { name: 'ends', label: says.ends, cell: ({ expires_at }) => <Moment instant={expires_at} /> },
    {
      name: 'do',
      label: words.value.common.actions,
      kind: 'actions',
      cell: (session) =>
        session.current ? null : (
          <button
            class="button quiet"
            aria-label={`${says.end}: ${browserOf(session.user_agent) ?? says.unknown}`}
            onClick={() => {
              ending.value = session;
            }}
          >
            {says.end}
          </button>
        ),
    },
  ];
  const name = live.loaded.status === 'loaded' ? live.loaded.value.name : null;
  const now = ending.value;
  return (
    <>
      <ScreenHead
        title={name === null ? words.value.screens.sessions : `${words.value.screens.sessions}: ${name}`}
        back={
          isOwn
            ? { to: '/profile', label: words.value.screens.profile }
            : { to: '/people', label: words.value.screens.people }
        }
      >
        <button
          class="button"
          onClick={() => {
            ending.value = 'all';
          }}
        >
          {isOwn ? says.endOthers : says.endAll}
        </button>
      </ScreenHead>
      <LoadedView of={live}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <p class="fine">{says.none}</p>
          ) : (
            <DataTable label={words.value.screens.sessions} columns={columns} rows={sessions} keyOf={({ id }) => id} />
          )
        }
      </LoadedView>
      {now !== null && (
        <ConfirmDialog
          title={now === 'all' ? (isOwn ? says.endOthers : says.endAll) : says.endTitle}
          text={<p>{says.endText}</p>}
          action={says.end}
          danger
          onClose={() => {
            ending.value = null;
          }}
          onConfirm={async () => {
            const params = { user_id: userId };
            if (now === 'all') await call('DELETE /v1/users/{user_id}/sessions', { params });
            else
              await call('DELETE /v1/users/{user_id}/sessions/{session_id}', {
                params: { ...params, session_id: now.id },
              });
            live.again();
          }}
        />
      )}
    </>
  );
};
export default Sessions;
