import {
  channelField,
  channelKey,
  sealTexts,
  type ChannelTypeName,
  type Configuration,
} from '../../domain/alert-channel/configuration.ts';
import type { AlertChannelEvent } from '../../domain/alert-channel/events.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import { channelTypeOf } from '../../notifiers/channels/index.ts';
import type { Service } from './service.ts';

let stored = 0;

/** Stores an event of a channel and waits until the read model shows it. */
export const storeChannelEvent = async (
  { stores, readers, time }: Service,
  organizationId: string,
  event: AlertChannelEvent,
): Promise<void> => {
  const id = derivedUuid(`channel event ${stored++}`);
  const now = instantOf(time.now);
  const made = systemEvent(event, { id, by: 'test', organizationId, causeId: id, now });
  const { position } = await stores.main.append(`alert_channel-${event.data.channel_id}`, [made], 'any');
  await readers.waitFor(['alert_channels'], { appended: new Map([['main', position]]) });
};

/** Stores a channel of any type with encrypted texts. @returns the id of the channel */
export const storeOpenChannel = async (
  service: Service,
  organization_id: string,
  { name, type, configuration }: { name: string; type: ChannelTypeName; configuration: Configuration },
): Promise<string> => {
  const channel_id = derivedId(`channel ${stored++}`);
  const sealed = await sealTexts(configuration, Object.keys(channelTypeOf(type)?.sealed ?? {}), (text, location) =>
    service.keys.seal(channelKey(channel_id), text, {
      organizationId: organization_id,
      field: channelField(location),
    }),
  );
  await storeChannelEvent(service, organization_id, {
    type: 'AlertChannelCreated',
    data: {
      channel_id,
      organization_id,
      channel: { name, type, configuration: sealed, enabled: true },
    },
  });
  return channel_id;
};

const STATUS_PAGE = {
  page_id: 'k3v9x0q2m7ab',
  component_id: 'k3v9x0q2m7ab',
  component_status: 'major_outage',
} as const;

/** Stores a channel without secrets. @returns the id of the channel */
export const storeChannel = (service: Service, organizationId: string, name = 'Status page'): Promise<string> =>
  storeOpenChannel(service, organizationId, { name, type: 'statuspage', configuration: STATUS_PAGE });
