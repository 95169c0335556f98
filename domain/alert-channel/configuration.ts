import { Type, type Static } from '@sinclair/typebox';
import type { ComponentStatus } from '../page/component-status.ts';
import { isSealed, type Sealed } from '../sealed.ts';

/**
 * `name` of a type in notifiers/channels/. Events accept any text, so a new type needs no new event version; requests
 * are checked strictly.
 */
export const ChannelTypeName = Type.String({ examples: ['email'] });
export type ChannelTypeName = Static<typeof ChannelTypeName>;

/** The settings of a channel, by its type. The texts that the type marks as sealed are {@link Sealed}. */
export const StoredConfiguration = Type.Record(Type.String(), Type.Unknown(), {
  examples: [{ recipients: [{ key: 'a1b2c3d4e5f6', sealed: 'a1b2c3d4e5f6' }] }],
});
export type StoredConfiguration = Static<typeof StoredConfiguration>;

/** The same with decrypted texts: as an editor sends it, completed by defaults. */
export type Configuration = Record<string, unknown>;

/** The type whose channels send no messages: an alert holds a component of a status page in a status. */
export const STATUS_PAGE = 'statuspage';

/** The settings of a channel of the type {@link STATUS_PAGE}. */
export interface SharedStatusComponent {
  page_id: string;
  component_id: string;
  component_status: ComponentStatus;
}

/** The name of the key under which the texts of a channel are sealed. */
export const channelKey = (channelId: string): string => `alert_channel-${channelId}`;

/** The place of a text in a configuration. A field has one text, a list of texts, or an object of texts by name. */
export interface ChannelTextPlace {
  /** `url`, `headers`, `recipients` */
  field: string;
  /** name of a header; null for other texts */
  name: string | null;
}

/** The field that a sealed text is bound to. It has no list index, so the recipients of a channel can be reordered. */
export const channelField = ({ field, name }: ChannelTextPlace): string =>
  name === null ? `configuration.${field}` : `configuration.${field}.${name}`;

/**
 * Copies a stored configuration of any type and replaces each sealed text.
 *
 * @param open returns the replacement, or a promise of it
 */
export const openTexts = (
  stored: StoredConfiguration,
  open: (text: Sealed, place: ChannelTextPlace) => unknown,
): Promise<Configuration> =>
  mapTexts(
    stored,
    () => true,
    (value, place) => (isSealed(value) ? open(value, place) : value),
  );

/**
 * Copies a configuration with decrypted texts and replaces those that must be sealed.
 *
 * @param fields the fields whose texts are sealed
 * @param seal returns the replacement, or a promise of it
 */
export const sealTexts = (
  configuration: Configuration,
  fields: readonly string[],
  seal: (text: string, place: ChannelTextPlace) => unknown,
): Promise<StoredConfiguration> =>
  mapTexts(
    configuration,
    (field) => fields.includes(field),
    (value, place) => (typeof value === 'string' ? seal(value, place) : value),
  );

/** Copies a configuration and replaces the values of some fields: single values, list items, and values of objects. */
const mapTexts = async (
  configuration: Record<string, unknown>,
  isMapped: (field: string) => boolean,
  replaced: (value: unknown, place: ChannelTextPlace) => unknown,
): Promise<Record<string, unknown>> => {
  const entries = Object.entries(configuration).map(async ([field, value]): Promise<[string, unknown]> => {
    if (!isMapped(field) || value === null || value === undefined) return [field, value];
    if (Array.isArray(value)) {
      return [field, await Promise.all(value.map((one: unknown) => replaced(one, { field, name: null })))];
    }
    if (typeof value !== 'object' || isSealed(value)) return [field, await replaced(value, { field, name: null })];
    const named = Object.entries(value).map(
      async ([name, one]: [string, unknown]) => [name, await replaced(one, { field, name })] as const,
    );
    return [field, Object.fromEntries(await Promise.all(named))];
  });
  return Object.fromEntries(await Promise.all(entries));
};
