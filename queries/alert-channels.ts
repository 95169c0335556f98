import { channelField, mapChannelTexts, type ChannelType } from '../domain/alert-channel/configuration.ts';
import { shownChannelText } from '../domain/alert-channel/shown.ts';
import type { Sealed } from '../domain/sealed.ts';
import type { Instant } from '../domain/time.ts';
import { alertChannels, type AlertChannelDocument } from '../projections/alert-channels/projection.ts';
import { openText } from '../stores/keys/port.ts';
import type { Revealing } from './checks/secrets.ts';
import { ownDocuments } from './own-documents.ts';
import type { Reading, Scope } from './scope.ts';

/** A channel as a reader sees it. */
export interface AlertChannelView {
  id: string;
  organization_id: string;
  name: string;
  type: ChannelType;
  /** texts are open or masked (domain/alert-channel/shown.ts) */
  configuration: Record<string, unknown>;
  enabled: boolean;
  /** when the last message was tried; null: none ever was */
  last_used_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

type Asking = Pick<Scope, 'read' | 'organizationId' | 'keys'>;

const own = ownDocuments((read) => read(alertChannels).alert_channels, 'alert channel', {
  sort: { created_at: -1 },
  filters: {},
});

/** A channel as it is stored. @throws NotFound */
export const findChannel = (scope: Reading, id: string): Promise<AlertChannelDocument> => own.one(scope, id);

/** Channels as they are stored, by id; those that are gone or belong to somebody else are left out. */
export const namedChannels = async (
  { read, organizationId }: Reading,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AlertChannelDocument>> => {
  const found = await read(alertChannels).alert_channels.getMany([...new Set(ids)]);
  return new Map(
    found.filter((channel) => channel.organization_id === organizationId).map((channel) => [channel.id, channel]),
  );
};

/** Channels as they are shown, in the order of the ids; those that are gone are left out. */
export const channelsOf = async (
  scope: Asking,
  ids: readonly string[],
  revealing: Revealing,
): Promise<AlertChannelView[]> => {
  const found = await namedChannels(scope, ids);
  const there = [...new Set(ids)].map((id) => found.get(id)).filter((channel) => channel !== undefined);
  return Promise.all(there.map((channel) => viewOf(scope, channel, revealing)));
};

/** A stored channel as it is shown. */
export const viewOf = async (
  { keys }: Asking,
  channel: AlertChannelDocument,
  revealing: Revealing,
): Promise<AlertChannelView> => {
  const { id, organization_id, name, type, enabled, created_at, updated_at } = channel;
  const shown = await shownConfiguration({ keys }, organization_id, channel.configuration, revealing);
  return { id, organization_id, name, type, configuration: shown, enabled, last_used_at: null, created_at, updated_at };
};

/** A stored configuration as it is shown, whatever the type of its channel. */
export const shownConfiguration = (
  { keys }: Pick<Scope, 'keys'>,
  organizationId: string,
  configuration: object,
  { reveal }: Revealing,
): Promise<Record<string, unknown>> =>
  mapChannelTexts(configuration, async (text, place) =>
    shownChannelText(
      await openText(text as Sealed, { organizationId, field: channelField(place) }, keys),
      place,
      reveal,
    ),
  );
