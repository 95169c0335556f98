import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Schemas } from '../../api/openapi.d.ts';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import type { Params } from '../../router/match.ts';
import { isUnknown } from '../../past/past.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { useLateRefresh } from '../heartbeats/refresh-late.ts';
import { Channels } from './channels.tsx';
import { Connect } from './connect.tsx';
import { Head } from './head.tsx';
import { Pings } from './pings.tsx';
import { Times } from './next-times.tsx';
import { HeartbeatStateSection } from './state.tsx';

type Heartbeat = Schemas['Heartbeat'];

/** The loaded heartbeat; null: the heartbeat was deleted while the screen was open. */
interface LoadedHeartbeat {
  heartbeat: Heartbeat | null;
}

const oneHeartbeat = (heartbeat_key: string): LiveSource<LoadedHeartbeat> => ({
  load: async (signal) => ({
    heartbeat: await call('GET /v1/heartbeats/{heartbeat_key}', { params: { heartbeat_key } }, { signal }),
  }),
  resources: ['heartbeat'],
  merge: (found, changes) => {
    const mine = changes.filter(({ id }) => id === heartbeat_key).at(-1);
    if (!mine || found.heartbeat === null) return found;
    if (mine.change === 'deleted') return { heartbeat: null };
    return mine.row ? { heartbeat: { ...found.heartbeat, ...(mine.row as Schemas['HeartbeatRow']) } } : found;
  },
});

/** The screen of a heartbeat: its state, schedule, snippets and pings. */
const HeartbeatScreen = ({ params }: { params: Params }): JSX.Element => {
  const id = params['heartbeat_id'] ?? '';
  const { loaded, again, change } = useLive(oneHeartbeat(id), [id]);
  const value = loaded.status === 'loading' ? null : (loaded.value?.heartbeat ?? null);
  const rows = useMemo(() => (value ? [value] : []), [value]);
  useLateRefresh(rows, again);
  if (loaded.status === 'loading') return <Loading />;
  const isGone = loaded.status === 'failed' ? loaded.failure.status === 404 : value === null;
  if (isGone) return <NotFoundPanel to="/heartbeats" label={words.value.screens.heartbeats} />;
  if (value === null)
    return loaded.status === 'failed' ? <FailurePanel failure={loaded.failure} again={again} /> : <Loading />;
  return (
    <div class="heartbeat">
      <Head
        heartbeat={value}
        onChange={(next) => {
          change(() => ({ heartbeat: next }));
        }}
      />
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      <HeartbeatStateSection heartbeat={value} />
      <div class="halves">
        <Times heartbeat={value} />
        <Channels id={value.id} />
      </div>
      {!isUnknown('ping_url', value.ping_url) && <Connect heartbeat={value} />}
      <Pings heartbeat={value} onRefresh={again} />
    </div>
  );
};
export default HeartbeatScreen;
