import { Type } from '@sinclair/typebox';
import {
  createChannel,
  deleteChannel,
  updateChannel,
  usableConfiguration,
} from '../../../../commands/alerts/alert-channels.ts';
import { STATUS_PAGE, type ChannelTypeName } from '../../../../domain/alert-channel/configuration.ts';
import { Invalid } from '../../../../domain/errors.ts';
import { isFields, type Fields } from '../../../../domain/fields.ts';
import { revisedIn } from '../../../../domain/revision.ts';
import type { FieldMessages } from '../../../../http/validation-messages.ts';
import { readConfiguration } from '../../../../notifiers/channels/configuration.ts';
import { channelTypeOf } from '../../../../notifiers/channels/index.ts';
import { alertChannels } from '../../../../projections/alert-channels/projection.ts';
import {
  showChannel,
  componentProblems,
  findDecryptedChannel,
  listChannels,
  findChannels,
  decryptChannel,
  requireChannelUnused,
  type AlertChannelView,
  type DecryptedChannel,
} from '../../../../queries/alerts/alert-channels.ts';
import type { Scope } from '../../../../queries/engine/scope.ts';
import { unpaginated } from '../../../pagination.ts';
import { resource } from '../../../resource.ts';
import { ok, route, type Route } from '../../../route.ts';
import { Id } from '../../../schema.ts';
import {
  AlertChannelSchema,
  CHANNEL_DEFAULTS,
  AlertChannelChangeBody,
  ChannelTest,
  ChannelTestOutcome,
  NewAlertChannelBody,
  presentAlertChannel,
} from './schema.ts';
import { testChannel } from './test-message.ts';

const path = '/v1/alerts/channels';
const tag = 'Alert channels';
const needs = { read: 'alerts.read', write: 'alerts.write' } as const;

/** Validates a configuration for its channel type. `given` can be any JSON value. */
const brokenConfiguration = (type: unknown, given: unknown, previous: Fields | null): FieldMessages | null => {
  if (typeof type !== 'string' || !channelTypeOf(type) || !isFields(given)) return null;
  const read = readConfiguration(type, given, previous);
  return 'problems' in read ? read.problems : null;
};

const brokenNew = (body: unknown): FieldMessages | null =>
  isFields(body) ? brokenConfiguration(body['type'], body['configuration'], null) : null;

const brokenChange = ({ channel, opened }: DecryptedChannel, body: unknown): FieldMessages | null => {
  if (!isFields(body)) return null;
  const { type, configuration } = body;
  if (type !== undefined && type !== channel.type) return { type: ["A channel's type can't be changed."] };
  return brokenConfiguration(channel.type, configuration, opened);
};

/**
 * Requires the component of a status page channel to exist when a request refers to it for the first time. The
 * component may be deleted later: clients can still send back the channel unchanged.
 *
 * @throws Invalid
 */
const requireComponent = async (
  scope: Scope,
  type: ChannelTypeName,
  configuration: Fields,
  before: Fields = {},
): Promise<void> => {
  const isNew = (['page_id', 'component_id'] as const).some((field) => configuration[field] !== before[field]);
  const problems = type === STATUS_PAGE && isNew ? await componentProblems(scope, configuration) : {};
  if (Object.keys(problems).length > 0) throw new Invalid({ json: problems });
};

/**
 * Returns the decrypted configuration of a stored channel. Values that are masked in a request for a test are replaced
 * by values of this configuration.
 */
const storedFor = async (scope: Scope, channelId: string, type: ChannelTypeName): Promise<Fields> => {
  const found = await findChannels(scope, [channelId]);
  const channel = found.get(channelId);
  if (!channel || channel.type !== type) throw Invalid.field('channel_id', `No channel of type ${type} has this id.`);
  return (await decryptChannel(scope, channel)).opened;
};

/**
 * Time limit of the request, in milliseconds. A test takes up to ten seconds (docs/reference/alert-channels.md#tests).
 */
const DEADLINE_MS = 12_000;

const testing = {
  methods: ['post'],
  tag,
  access: { needs: needs.write },
  deadlineMs: DEADLINE_MS,
  responses: { 200: ChannelTestOutcome },
} as const;

const tests: Route[] = [
  route({
    ...testing,
    path: `${path}/test`,
    summary: 'Test an unsaved alert channel',
    description: 'A test message is sent. For a status page channel, the component is only looked up.',
    body: ChannelTest,
    refuse: (_, body) => (isFields(body) && body['channel_id'] == null ? brokenNew(body) : null),
    handle: async ({ body: { type, configuration: given, channel_id }, scope, context, commands }) => {
      const stored = channel_id == null ? null : await storedFor(scope, channel_id, type);
      const configuration = commands.bind(usableConfiguration)(type, given, stored);
      const tested = { id: channel_id ?? null, stored: false, name: null, type, configuration };
      const outcome = await testChannel({ scope, context, commands }, tested);
      return ok(() => outcome);
    },
  }),
  route({
    ...testing,
    path: `${path}/{channel_id}/test`,
    summary: 'Test an alert channel',
    description: 'A test message is sent. For a status page channel, the component is only looked up.',
    params: Type.Object({ channel_id: Id }),
    find: ({ scope, params }) => findDecryptedChannel(scope, params.channel_id),
    handle: async ({ found: { channel, opened: texts }, scope, context, commands }) => {
      const read = readConfiguration(channel.type, texts, null);
      const configuration = 'problems' in read ? null : read.configuration;
      const { id, name, type } = channel;
      const tested = { id, stored: true, name, type, configuration };
      const outcome = await testChannel({ scope, context, commands }, tested);
      return ok(() => outcome);
    },
  }),
];

export const alertChannelRoutes: Route[] = resource({
  path,
  id: 'channel_id',
  tag,
  noun: 'alert channel',
  needs,
  confidential: true,
  schema: AlertChannelSchema,
  present: (shown: AlertChannelView) => presentAlertChannel(shown),
  revised: ({ channel_id }) => revisedIn('alert_channel', channel_id),
  show: ({ scope, params, may }) => showChannel(scope, params.channel_id, { reveal: may('alerts.write') }),
  find: ({ scope, params }) => findDecryptedChannel(scope, params.channel_id),
  list: {
    summary: 'List alert channels',
    description: 'The list is sorted newest first.',
    style: unpaginated,
    ask: ({ scope, may }, paging) => listChannels(scope, paging, { reveal: may('alerts.write') }),
  },
  furtherRoutes: tests,
  create: {
    body: NewAlertChannelBody,
    refuse: (_, body) => brokenNew(body),
    ask: async ({ body, scope, context, commands }) => {
      await requireComponent(scope, body.type, body.configuration);
      return commands.bind(createChannel)({ ...CHANNEL_DEFAULTS, ...body }, context);
    },
  },
  change: {
    body: AlertChannelChangeBody,
    refuse: brokenChange,
    ask: async ({ params, body, found: { channel, opened: before }, scope, context, commands }) => {
      if (body.configuration) await requireComponent(scope, channel.type, body.configuration, before);
      await commands.bind(updateChannel)(params.channel_id, body, context);
    },
  },
  remove: {
    waitsFor: [alertChannels.name],
    ask: async ({ params, scope, context, commands }) => {
      await requireChannelUnused(scope, params.channel_id);
      await commands.bind(deleteChannel)(params.channel_id, context);
    },
  },
});
