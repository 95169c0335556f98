import { Type, type Static } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';
import { ChannelTypeName, StoredConfiguration } from './configuration.ts';

/** What a channel is set to; texts of its configuration are sealed under `alert_channel-{id}`. */
export const AlertChannelFields = Type.Object({
  name: Type.String(),
  type: ChannelTypeName,
  configuration: StoredConfiguration,
  enabled: Type.Boolean(),
});
export type AlertChannelFields = Static<typeof AlertChannelFields>;

/** What can be changed of a channel. */
const Changeable = Type.Partial(Type.Omit(AlertChannelFields, ['type']));

/** Events of a way to tell people of alerts, in `alert_channel-{channel_id}`. */
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
  /** of type telegram: its group became a supergroup, which has another id; nobody did it here */
  AlertChannelChatMoved: {
    version: 1,
    data: Type.Object({ channel_id: Type.String(), chat_id: Type.String(), previous_chat_id: Type.String() }),
  },
  /** a user requested a test message; appended before it is sent, and the response to the request has its outcome */
  AlertChannelTested: {
    version: 1,
    data: Type.Object({
      /** of one that is not stored: an id that no channel has */
      channel_id: Type.String(),
      organization_id: Type.String(),
      type: ChannelTypeName,
      /** what it is set to: its stored configuration, or one that was sent with the test */
      configuration: Type.Union([Type.Literal('stored'), Type.Literal('sent')]),
    }),
  },
} as const satisfies EventDefinitions;

export type AlertChannelEvent = EventsOf<typeof alertChannelEvents>;
