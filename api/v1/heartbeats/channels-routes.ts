import { Type } from '@sinclair/typebox';
import { addHeartbeatChannels, removeHeartbeatChannel } from '../../../commands/checks/heartbeats.ts';
import { Invalid } from '../../../domain/errors.ts';
import { MAX_CHANNELS } from '../../../domain/heartbeat/decide.ts';
import { heartbeats } from '../../../projections/heartbeats/projection.ts';
import { showChannels, findChannels } from '../../../queries/alerts/alert-channels.ts';
import { findHeartbeat } from '../../../queries/heartbeats/heartbeats.ts';
import type { ReadScope } from '../../../queries/engine/scope.ts';
import { noContent, ok, route, type Call, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { AlertChannelSchema, presentAlertChannel } from '../alerts/channels/schema.ts';

const tag = 'Heartbeats';
const path = '/v1/heartbeats/{heartbeat_key}/channels';
const params = Type.Object({ heartbeat_key: Id });
const Channels = Type.Object({ channels: Type.Array(AlertChannelSchema) });

/** Reads the channels of a heartbeat, without deleted ones. */
const shown = async ({ scope, may }: Pick<Call<unknown, unknown, unknown>, 'scope' | 'may'>, id: string) => {
  const { channel_ids } = await findHeartbeat(scope, id);
  const channels = await showChannels(scope, channel_ids, { reveal: may('secrets.reveal') });
  return { channels: channels.map(presentAlertChannel) };
};

/** @throws Invalid if a channel does not exist, or belongs to another organization */
const requireOwn = async (scope: ReadScope, ids: readonly string[]): Promise<void> => {
  const own = await findChannels(scope, ids);
  const unknown = ids.filter((id) => !own.has(id));
  if (unknown.length > 0) {
    throw new Invalid({ json: { channel_ids: [`No alert channel has this id: ${unknown.join(', ')}.`] } });
  }
};

/** The channels that are notified when a heartbeat goes down and when it recovers. */
export const heartbeatChannelRoutes: Route[] = [
  route({
    methods: ['get'],
    path,
    summary: 'List the channels of a heartbeat',
    tag,
    access: { needs: 'heartbeats.read' },
    confidential: true,
    params,
    responses: { 200: Channels },
    handle: (call) => ok(() => shown(call, call.params.heartbeat_key)),
  }),
  route({
    methods: ['post'],
    path,
    summary: 'Add channels to a heartbeat',
    description: 'Channels that the heartbeat already has remain.',
    tag,
    access: { needs: 'heartbeats.write' },
    params,
    body: Type.Object({ channel_ids: Type.Array(Id, { minItems: 1, maxItems: MAX_CHANNELS }) }),
    responses: { 200: Channels },
    find: ({ scope, params }) => findHeartbeat(scope, params.heartbeat_key),
    handle: async (call) => {
      const { params, body, context, commands, scope } = call;
      await requireOwn(scope, body.channel_ids);
      await commands.bind(addHeartbeatChannels)(params.heartbeat_key, body.channel_ids, context);
      return ok(() => shown(call, params.heartbeat_key));
    },
  }),
  route({
    methods: ['delete'],
    path: `${path}/{channel_id}`,
    summary: 'Remove a channel from a heartbeat',
    tag,
    access: { needs: 'heartbeats.write' },
    params: Type.Object({ heartbeat_key: Id, channel_id: Id }),
    responses: { 204: null },
    waitsFor: [heartbeats.name],
    find: ({ scope, params }) => findHeartbeat(scope, params.heartbeat_key),
    handle: async ({ params, context, commands }) => {
      await commands.bind(removeHeartbeatChannel)(params.heartbeat_key, params.channel_id, context);
      return noContent();
    },
  }),
];
