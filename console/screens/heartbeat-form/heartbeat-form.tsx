import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ownTimeZone } from '../../parts/times/moment-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { ManagedHint } from '../../parts/managed.tsx';
import { currentLocation } from '../../router/router.ts';
import type { Params } from '../../router/match.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { draftOf, newDraft } from './draft.ts';
import { HeartbeatForm } from './form.tsx';

/** Creates or changes a heartbeat. The URL's query may name another heartbeat whose values are copied. */
const HeartbeatFormScreen = ({ params }: { params: Params }): JSX.Element => {
  const id = params['heartbeat_id'] ?? null;
  const isAllowed = may(id === null ? 'POST /v1/heartbeats' : 'PATCH /v1/heartbeats/{heartbeat_key}');
  if (!isAllowed) return <Panel title={words.value.failure.forbidden} />;
  const from = id ?? currentLocation.value.query.get('from');
  return <Loaded key={from ?? ''} id={id} from={from} />;
};
export default HeartbeatFormScreen;

const Loaded = ({ id, from }: { id: string | null; from: string | null }): JSX.Element => {
  const round = useSignal(0);
  const { loaded, again } = useLoaded(
    async (signal) =>
      from === null
        ? null
        : call('GET /v1/heartbeats/{heartbeat_key}', { params: { heartbeat_key: from } }, { signal }),
    [round.value],
  );
  const { heartbeats: says, screens } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed' && loaded.failure.status === 404)
    return <NotFoundPanel to="/heartbeats" label={screens.heartbeats} />;
  if (loaded.status === 'failed') return <FailurePanel failure={loaded.failure} again={again} />;
  const heartbeat = loaded.value;
  const zone = ownTimeZone();
  const back =
    id === null || heartbeat === null
      ? { to: '/heartbeats', label: screens.heartbeats }
      : { to: `/heartbeats/${id}`, label: heartbeat.name };
  return (
    <>
      <ScreenHead title={id === null ? says.new : says.edit} back={back} />
      {id !== null && <ManagedHint of={heartbeat} />}
      <HeartbeatForm
        key={heartbeat?.revision ?? 0}
        id={id}
        first={heartbeat === null ? newDraft(zone) : draftOf(heartbeat, zone)}
        revision={id === null ? null : (heartbeat?.revision ?? null)}
        onReload={() => {
          round.value += 1;
        }}
      />
    </>
  );
};
