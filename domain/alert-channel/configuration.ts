import { Type, type Static } from '@sinclair/typebox';
import type { ComponentStatus } from '../page/component-status.ts';
import { isSealed, type Sealed } from '../sealed.ts';

/**
 * The `name` of a channel type in notifiers/channels/. Events accept any text, so that a new type needs no new event
 * version. Requests are validated strictly.
 */
export const ChannelTypeName = Type.String({ examples: ['email'] });
export type ChannelTypeName = Static<typeof ChannelTypeName>;

/** The stored settings of a channel. Their fields depend on the channel's type. Secret texts are {@link Sealed}. */
export const StoredConfiguration = Type.Record(Type.String(), Type.Unknown(), {
  examples: [{ recipients: [{ key: 'a1b2c3d4e5f6', sealed: 'a1b2c3d4e5f6' }] }],
});
export type StoredConfiguration = Static<typeof StoredConfiguration>;

/** The settings of a channel with decrypted texts and with defaults for fields that the request lacked. */
export type Configuration = Record<string, unknown>;

/** The channel type that sends no messages. Instead, a firing alert sets the status of a component of a status page. */
export const STATUS_PAGE = 'statuspage';

/** The settings of a channel of the type {@link STATUS_PAGE}. */
export interface SharedStatusComponent {
  page_id: string;
  component_id: string;
  component_status: ComponentStatus;
}

/** The name of the key under which the texts of a channel are sealed. */
export const channelKey = (channelId: string): string => `alert_channel-${channelId}`;

/**
 * The location of a text in a configuration. A field contains one text, a list of texts, or an object of texts by name.
 */
export interface ChannelTextField {
  /** such as `url`, `headers` or `recipients` */
  field: string;
  /** the name of a header; null for texts other than headers */
  name: string | null;
}

/**
 * Returns the field name that a sealed text is bound to. It contains no list index, so that the recipients of a channel
 * can be reordered without sealing them again.
 */
export const channelField = ({ field, name }: ChannelTextField): string =>
  name === null ? `configuration.${field}` : `configuration.${field}.${name}`;

/**
 * Copies a stored configuration of any type and replaces each sealed text.
 *
 * @param open returns the replacement of a sealed text, or a promise of it
 */
export const openTexts = (
  stored: StoredConfiguration,
  open: (text: Sealed, place: ChannelTextField) => unknown,
): Promise<Configuration> =>
  mapTexts(
    stored,
    () => true,
    (value, place) => (isSealed(value) ? open(value, place) : value),
  );

/**
 * Copies a configuration with decrypted texts and replaces the texts that must be sealed.
 *
 * @param fields the fields whose texts are sealed
 * @param seal returns the replacement of a text, or a promise of it
 */
export const sealTexts = (
  configuration: Configuration,
  fields: readonly string[],
  seal: (text: string, place: ChannelTextField) => unknown,
): Promise<StoredConfiguration> =>
  mapTexts(
    configuration,
    (field) => fields.includes(field),
    (value, place) => (typeof value === 'string' ? seal(value, place) : value),
  );

/**
 * Copies a configuration and replaces all values in the fields that `isMapped` selects: single values, list items, and
 * values of objects.
 */
const mapTexts = async (
  configuration: Record<string, unknown>,
  isMapped: (field: string) => boolean,
  replaced: (value: unknown, place: ChannelTextField) => unknown,
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
