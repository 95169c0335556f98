import type { JSX } from 'preact';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import type { Params } from '../../router/match.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import type { Channel } from './draft.ts';
import { ChannelFacts } from './facts.tsx';
import { ChannelForm } from './form.tsx';

/**
 * The screen of a channel: a form, or only the settings for users who are not allowed to change it. If the path has no
 * id, the form creates a channel.
 */
const ChannelScreen = ({ params }: { params: Params }): JSX.Element => {
  const channel_id = params['channel_id'] ?? null;
  const { loaded, again } = useLoaded<Channel | null>(
    (signal) =>
      channel_id === null
        ? Promise.resolve(null)
        : call('GET /v1/alerts/channels/{channel_id}', { params: { channel_id } }, { signal }),
    [channel_id],
  );
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') {
    if (loaded.failure.status === 404)
      return <NotFoundPanel to="/alerts/channels" label={words.value.alertChannels.title} />;
    return <FailurePanel failure={loaded.failure} again={again} />;
  }
  const channel = loaded.value;
  if (channel && !may('PUT /v1/alerts/channels/{channel_id}')) return <ChannelFacts channel={channel} />;
  return <ChannelForm key={`${channel?.id ?? 'new'} ${channel?.revision ?? 0}`} channel={channel} onLoad={again} />;
};
export default ChannelScreen;
