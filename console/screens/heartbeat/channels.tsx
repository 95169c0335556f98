import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Failure } from '../../api/failure.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';

type Channel = Schemas['AlertChannel'];

/** Loads the channels of a heartbeat. For users who are allowed to add channels, also loads all other channels. */
const loadChannels = async (heartbeat_key: string, signal: AbortSignal) => {
  const mayAdd = may('POST /v1/heartbeats/{heartbeat_key}/channels');
  const [{ channels }, all] = await Promise.all([
    call('GET /v1/heartbeats/{heartbeat_key}/channels', { params: { heartbeat_key } }, { signal }),
    mayAdd ? call('GET /v1/alerts/channels', {}, { signal }) : [],
  ]);
  return { channels, all };
};

/** The channels notified when a heartbeat goes down or recovers. */
export const Channels = ({ id }: { id: string }): JSX.Element => {
  const { loaded, again } = useLoaded((signal) => loadChannels(id, signal), [id]);
  const busy = useSignal(false);
  const failure = useSignal<Failure | null>(null);
  const says = words.value.heartbeats;
  const params = { heartbeat_key: id };
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    busy.value = true;
    failure.value = null;
    try {
      await work();
      again();
    } catch (error) {
      failure.value = error as Failure;
    } finally {
      busy.value = false;
    }
  };
  const add = ({ id: channel_id }: Channel): void => {
    const body = { channel_ids: [channel_id] };
    void change(() => call('POST /v1/heartbeats/{heartbeat_key}/channels', { params, body }));
  };
  const remove = ({ id: channel_id }: Channel): void => {
    void change(() =>
      call('DELETE /v1/heartbeats/{heartbeat_key}/channels/{channel_id}', { params: { ...params, channel_id } }),
    );
  };
  const value = loaded.status === 'loading' ? null : loaded.value;
  return (
    <section>
      <h2>{says.channels}</h2>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {failure.value && <FailureLine failure={failure.value} />}
      {value && <List channels={value.channels} busy={busy.value} onRemove={remove} />}
      {value && <Add channels={value.channels} all={value.all} onAdd={add} />}
    </section>
  );
};

const List = (props: {
  channels: readonly Channel[];
  busy: boolean;
  onRemove: (one: Channel) => void;
}): JSX.Element => {
  const { channels, busy, onRemove } = props;
  const says = words.value.heartbeats;
  if (channels.length === 0) return <p class="notice">{says.noChannels}</p>;
  return (
    <ul class="channel-list">
      {channels.map((channel) => (
        <li key={channel.id}>
          <Link to={`/alerts/channels/${channel.id}`}>
            <bdi>{channel.name}</bdi>
          </Link>
          <span class="fine">{channel.type}</span>
          {may('DELETE /v1/heartbeats/{heartbeat_key}/channels/{channel_id}') && (
            <button
              class="icon-button"
              disabled={busy}
              aria-label={`${says.removeChannel}: ${channel.name}`}
              onClick={() => {
                onRemove(channel);
              }}
            >
              <Icon name="close" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
};

/** A field for adding a channel. */
const Add = (props: {
  channels: readonly Channel[];
  all: readonly Channel[];
  onAdd: (one: Channel) => void;
}): JSX.Element | null => {
  const { channels, all, onAdd } = props;
  const says = words.value.heartbeats;
  if (!may('POST /v1/heartbeats/{heartbeat_key}/channels')) return null;
  const others = all.filter(({ id }) => !channels.some((one) => one.id === id));
  if (others.length === 0) {
    if (all.length > 0 || !may('POST /v1/alerts/channels')) return null;
    return (
      <Link to="/alerts/channels/new" class="button">
        {says.createChannel}
      </Link>
    );
  }
  return (
    <Menu label={says.addChannel}>
      {others.map((channel) => (
        <button
          key={channel.id}
          onClick={() => {
            onAdd(channel);
          }}
        >
          <bdi>{channel.name}</bdi>
        </button>
      ))}
    </Menu>
  );
};
