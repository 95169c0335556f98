import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Failure } from '../../api/failure.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Link } from '../../parts/link.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { Moment } from '../../parts/times/since.tsx';
import { ManagedBadge } from '../../parts/managed.tsx';
import { Known } from '../../past/known.tsx';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { targetOf, type Channel } from './draft.ts';
import { TestOutcome, useTest } from './test.tsx';
import { typeName } from './names.ts';

export interface ChannelsTableProps {
  channels: readonly Channel[];
  /** updates the display before the stream confirms the change */
  change: (how: (channels: readonly Channel[]) => readonly Channel[]) => void;
  /** reloads the channels */
  again: () => void;
}

/** The table of channels with their destinations and actions. */
export const ChannelsTable = ({ channels, change, again }: ChannelsTableProps): JSX.Element => {
  const { alertChannels: says, common } = words.value;
  const failure = useSignal<Failure | null>(null);
  const deleting = useSignal<Channel | null>(null);
  const writes = may('PATCH /v1/alerts/channels/{channel_id}');
  const enable = async ({ id, enabled }: Channel): Promise<void> => {
    failure.value = null;
    try {
      const params = { channel_id: id };
      const next = await call('PATCH /v1/alerts/channels/{channel_id}', { params, body: { enabled: !enabled } });
      change((all) => all.map((one) => (one.id === id ? next : one)));
    } catch (error) {
      failure.value = error as Failure;
      again();
    }
  };
  const actions = (channel: Channel): JSX.Element => (
    <Menu label={`${common.actions}: ${channel.name}`} icon="more">
      <Link to={`/alerts/channels/${channel.id}`}>{common.edit}</Link>
      <button onClick={() => void enable(channel)}>{channel.enabled ? says.disable : says.enable}</button>
      <button
        class="danger"
        onClick={() => {
          deleting.value = channel;
        }}
      >
        {common.delete}
      </button>
    </Menu>
  );
  const asked = deleting.value;
  return (
    <>
      {failure.value && <FailureLine failure={failure.value} />}
      <div class="channel-table">
        <DataTable
          label={says.title}
          keyOf={({ id }) => id}
          rows={channels}
          columns={[
            {
              name: 'channel',
              label: says.channel,
              kind: 'key',
              cell: (channel) => (
                <>
                  <Link to={`/alerts/channels/${channel.id}`}>
                    <bdi>{channel.name}</bdi>
                  </Link>
                  <ManagedBadge of={channel} />
                </>
              ),
            },
            {
              name: 'type',
              label: says.type,
              cell: ({ type, enabled }) => `${typeName(type)}${enabled ? '' : ` · ${says.off}`}`,
            },
            { name: 'target', label: says.target, kind: 'wide', cell: (channel) => <bdi>{targetOf(channel)}</bdi> },
            {
              name: 'used',
              label: says.lastUsed,
              cell: ({ last_used_at }) => (
                <Known name="last_used_at" value={last_used_at}>
                  {last_used_at === null ? says.never : <Moment instant={last_used_at} />}
                </Known>
              ),
            },
            ...(writes
              ? [
                  { name: 'test', label: says.test, cell: (channel: Channel) => <Test channel={channel} /> },
                  { name: 'actions', label: common.actions, kind: 'actions' as const, cell: actions },
                ]
              : []),
          ]}
        />
      </div>
      {asked && (
        <ConfirmDialog
          title={says.deleteTitle(asked.name)}
          text={says.deleteText}
          action={common.delete}
          danger
          onConfirm={async () => {
            await call('DELETE /v1/alerts/channels/{channel_id}', { params: { channel_id: asked.id } });
            change((all) => all.filter(({ id }) => id !== asked.id));
          }}
          onClose={() => {
            deleting.value = null;
          }}
        />
      )}
    </>
  );
};

/** A button that tests a channel, and the outcome of the test. */
const Test = ({ channel }: { channel: Channel }): JSX.Element => {
  const test = useTest(() =>
    call('POST /v1/alerts/channels/{channel_id}/test', { params: { channel_id: channel.id } }),
  );
  return (
    <>
      <button
        class="button"
        disabled={test.busy}
        aria-label={`${words.value.alertChannels.test}: ${channel.name}`}
        onClick={test.start}
      >
        {words.value.alertChannels.test}
      </button>
      <TestOutcome test={test} type={channel.type} />
    </>
  );
};
