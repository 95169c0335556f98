import { Type, type Static } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';
import { managedBy } from '../managed/managed-by.ts';
import { ChannelTypeName, StoredConfiguration } from './configuration.ts';

/** The fields of a channel. The texts of its configuration are sealed under the key `alert_channel-{id}`. */
export const AlertChannelFields = Type.Object({
  name: Type.String(),
  type: ChannelTypeName,
  configuration: StoredConfiguration,
  enabled: Type.Boolean(),
  ...managedBy,
});
export type AlertChannelFields = Static<typeof AlertChannelFields>;

/** The fields that can be changed after creation. */
const Changeable = Type.Partial(Type.Omit(AlertChannelFields, ['type']));

/** Events of an alert channel, in the stream `alert_channel-{channel_id}`. */
export const alertChannelEvents = {
  AlertChannelCreated: {
    version: 2,
    data: Type.Object({ channel_id: Type.String(), organization_id: Type.String(), channel: AlertChannelFields }),
  },
  AlertChannelUpdated: {
    version: 2,
    data: Type.Object({ channel_id: Type.String(), changes: Changeable, previous: Changeable }),
  },
  AlertChannelDeleted: { version: 1, data: Type.Object({ channel_id: Type.String() }) },
  /** only for type telegram: Telegram turned the group into a supergroup, which has a new chat id */
  AlertChannelChatMoved: {
    version: 1,
    data: Type.Object({ channel_id: Type.String(), chat_id: Type.String(), previous_chat_id: Type.String() }),
  },
  /**
   * A user requested a test message. The event is appended before the message is sent; only the response shows the
   * outcome.
   */
  AlertChannelTested: {
    version: 1,
    data: Type.Object({
      /** for a test of a channel that is not stored: an unused id */
      channel_id: Type.String(),
      organization_id: Type.String(),
      type: ChannelTypeName,
      /** `stored`: the stored configuration was tested; `sent`: the configuration in the request was tested */
      configuration: Type.Union([Type.Literal('stored'), Type.Literal('sent')]),
    }),
  },
} as const satisfies EventDefinitions;

export type AlertChannelEvent = EventsOf<typeof alertChannelEvents>;
