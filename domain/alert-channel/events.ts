import { Type, type Static } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';
import { ChannelTypeName, StoredConfiguration } from './configuration.ts';

/** The fields of a channel. Texts of its configuration are sealed under `alert_channel-{id}`. */
export const AlertChannelFields = Type.Object({
  name: Type.String(),
  type: ChannelTypeName,
  configuration: StoredConfiguration,
  enabled: Type.Boolean(),
});
export type AlertChannelFields = Static<typeof AlertChannelFields>;

/** The fields that can be changed. */
const Changeable = Type.Partial(Type.Omit(AlertChannelFields, ['type']));

/** Events of an alert channel, in `alert_channel-{channel_id}`. */
export const alertChannelEvents = {
  AlertChannelCreated: {
    version: 1,
    data: Type.Object({ channel_id: Type.String(), organization_id: Type.String(), channel: AlertChannelFields }),
  },
  AlertChannelUpdated: {
    version: 1,
    data: Type.Object({ channel_id: Type.String(), changes: Changeable, previous: Changeable }),
  },
  AlertChannelDeleted: { version: 1, data: Type.Object({ channel_id: Type.String() }) },
  /** for type telegram: the group became a supergroup, which has another chat id. No user did this here */
  AlertChannelChatMoved: {
    version: 1,
    data: Type.Object({ channel_id: Type.String(), chat_id: Type.String(), previous_chat_id: Type.String() }),
  },
  /** a user requested a test message. Appended before it is sent; only the response contains the outcome */
  AlertChannelTested: {
    version: 1,
    data: Type.Object({
      /** for a channel that is not stored: an id that no channel has */
      channel_id: Type.String(),
      organization_id: Type.String(),
      type: ChannelTypeName,
      /** the tested configuration: the stored one, or the one in the request */
      configuration: Type.Union([Type.Literal('stored'), Type.Literal('sent')]),
    }),
  },
} as const satisfies EventDefinitions;

export type AlertChannelEvent = EventsOf<typeof alertChannelEvents>;
