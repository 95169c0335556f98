import {
  channelField,
  openTexts,
  type ChannelTypeName,
  type StoredConfiguration,
} from '../../domain/alert-channel/configuration.ts';
import { IllegalState, NotFound } from '../../domain/errors.ts';
import type { Fields } from '../../domain/fields.ts';
import { markOf, type ManagedObject } from '../../domain/managed/managed-by.ts';
import type { Instant } from '../../domain/time.ts';
import { isRecognizable, shownChannelText } from '../../notifiers/channels/configuration.ts';
import { alertChannels, type AlertChannelDocument } from '../../projections/alert-channels/projection.ts';
import { alertRules } from '../../projections/alert-rules/projection.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { heartbeats } from '../../projections/heartbeats/projection.ts';
import { FORGOTTEN, openText, readableText, UNREADABLE } from '../../stores/keys/port.ts';
import type { RevealOptions } from '../checks/secrets.ts';
import { findComponent } from '../pages/components.ts';
import { joinItems, type Listing, type Paging } from '../engine/listing.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import { findPage } from '../pages/pages.ts';
import type { ReadScope, Scope } from '../engine/scope.ts';

/** A channel in the form of API responses. */
export interface AlertChannelView extends ManagedObject {
  id: string;
  organization_id: string;
  name: string;
  type: ChannelTypeName;
  /** Configuration. The channel type decides which texts are masked (notifiers/channels/channel-type.ts). */
  configuration: Record<string, unknown>;
  enabled: boolean;
  /** Time of the newest attempt to send a message, within the retention period of results. Null if there is none. */
  last_used_at: Instant | null;
  revision: number;
  created_at: Instant;
  updated_at: Instant;
}

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'keys'>;

const own = ownDocuments((read) => read(alertChannels).alert_channels, 'alert channel', {
  sort: { created_at: -1 },
  filters: {},
});

/** A stored channel, and its configuration with decrypted texts. Texts that cannot be decrypted are omitted. */
export interface DecryptedChannel {
  channel: AlertChannelDocument;
  opened: Fields;
}

/** @throws NotFound */
export const findDecryptedChannel = async (scope: QueryScope, id: string): Promise<DecryptedChannel> =>
  decryptChannel(scope, await own.one(scope, id));

export const decryptChannel = async (
  { keys }: Pick<Scope, 'keys'>,
  channel: AlertChannelDocument,
): Promise<DecryptedChannel> => {
  const { organization_id: organizationId, configuration } = channel;
  const texts = await openTexts(configuration, (text, place) =>
    readableText(text, { organizationId, field: channelField(place) }, keys),
  );
  return { channel, opened: texts };
};

/** The organization's channels in the form of API responses, newest first. */
export const listChannels = async (
  scope: QueryScope,
  paging: Paging,
  revealing: RevealOptions,
): Promise<Listing<AlertChannelView>> =>
  joinItems(await own.list(scope, {}, paging), (channels) => viewing(scope, channels, revealing));

/** A channel in the form of API responses. @throws NotFound */
export const showChannel = async (
  scope: QueryScope,
  id: string,
  revealing: RevealOptions,
): Promise<AlertChannelView> => {
  const channel = await own.one(scope, id);
  return (await viewing(scope, [channel], revealing))(channel);
};

/** Finds stored channels by id. Omits channels that do not exist or belong to another organization. */
export const findChannels = async (
  { read, organizationId }: ReadScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AlertChannelDocument>> => {
  const found = await read(alertChannels).alert_channels.getMany([...new Set(ids)]);
  return new Map(
    found.filter((channel) => channel.organization_id === organizationId).map((channel) => [channel.id, channel]),
  );
};

/** Channels in the form of API responses, in the order of the ids; omits those that do not exist. */
export const showChannels = async (
  scope: QueryScope,
  ids: readonly string[],
  revealing: RevealOptions,
): Promise<AlertChannelView[]> => {
  const found = await findChannels(scope, ids);
  const existing = [...new Set(ids)].map((id) => found.get(id)).filter((channel) => channel !== undefined);
  return Promise.all(existing.map(await viewing(scope, existing, revealing)));
};

/** Reads related data of channels together. Returns a function that creates the view of one of these channels. */
const viewing = async (
  { read, keys }: QueryScope,
  channels: readonly AlertChannelDocument[],
  revealing: RevealOptions,
): Promise<(channel: AlertChannelDocument) => Promise<AlertChannelView>> => {
  const uses = await lastUses({ read }, channels);
  return async (channel) => {
    const { id, organization_id, name, type, configuration: stored, enabled } = channel;
    const { revision, created_at, updated_at } = channel;
    const configuration = await showConfiguration(
      { keys },
      { organizationId: organization_id, type },
      stored,
      revealing,
    );
    const last_used_at = uses.get(id) ?? null;
    const others = { revision, created_at, updated_at, ...markOf(channel) };
    return { id, organization_id, name, type, configuration, enabled, last_used_at, ...others };
  };
};

/** Returns the time of the newest attempt to send a message, by channel. */
const lastUses = async (
  { read }: Pick<Scope, 'read'>,
  channels: readonly AlertChannelDocument[],
): Promise<ReadonlyMap<string, Instant>> => {
  const uses = await read(deliveries).channel_uses.getMany(channels.map(({ id }) => id));
  return new Map(uses.map(({ id, used_at }) => [id, used_at]));
};

/**
 * Returns a stored configuration in the form of API responses.
 *
 * @param whose `type` is null if the channel type is unknown
 */
export const showConfiguration = (
  { keys }: Pick<Scope, 'keys'>,
  { organizationId, type }: { organizationId: string; type: ChannelTypeName | null },
  configuration: StoredConfiguration,
  { reveal }: RevealOptions,
): Promise<Record<string, unknown>> =>
  openTexts(configuration, async (text, place) => {
    const opened = await openText(text, { organizationId, field: channelField(place) }, keys);
    const isGone = opened === FORGOTTEN || opened === UNREADABLE;
    return isGone && isRecognizable(place, type) ? opened : shownChannelText(opened, place, type, reveal);
  });

/** Maximum number of names of one kind in an error message. */
const MOST_NAMES = 10;

/** Returns a text such as `the rules "One", "Two"`, or null if there are no names. */
const namesOf = (what: string, users: readonly { name: string }[]): string | null => {
  if (users.length === 0) return null;
  const names = users.slice(0, MOST_NAMES).map(({ name }) => `"${name}"`);
  const more = users.length > MOST_NAMES ? [`${users.length - MOST_NAMES} more`] : [];
  return `the ${what}${users.length === 1 ? '' : 's'} ${[...names, ...more].join(', ')}`;
};

/**
 * Requires that a channel is not in use.
 *
 * @throws IllegalState with the names of the rules and heartbeats that use it
 */
export const requireChannelUnused = async ({ read, organizationId }: ReadScope, id: string): Promise<void> => {
  const where = { organization_id: organizationId, channel_ids: id };
  const [rules, beats] = await Promise.all([
    read(alertRules).alert_rules.find({ where }),
    read(heartbeats).heartbeats.find({ where }),
  ]);
  const users = [namesOf('rule', rules), namesOf('heartbeat', beats)].filter((names) => names !== null);
  if (users.length > 0) throw new IllegalState(`This channel is used by ${users.join(' and ')}.`);
};

/** Returns errors, by field, if the component of a channel does not exist or is a group. */
export const componentProblems = async (
  scope: ReadScope,
  { page_id, component_id }: { page_id?: unknown; component_id?: unknown },
): Promise<Record<string, string[]>> => {
  if (typeof page_id !== 'string' || typeof component_id !== 'string') return {};
  if (!(await exists(findPage(scope, page_id)))) return { 'configuration.page_id': ['There is no such page.'] };
  const component = await nullIfMissing(findComponent(scope, { page_id, component_id }));
  if (!component) return { 'configuration.component_id': ['There is no such component on this page.'] };
  return component.group ? { 'configuration.component_id': ['Must be a component, not a group.'] } : {};
};

const nullIfMissing = async <T>(finding: Promise<T>): Promise<T | null> => {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
};

const exists = async (finding: Promise<unknown>): Promise<boolean> => (await nullIfMissing(finding)) !== null;
