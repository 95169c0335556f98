import { Type, type Static } from '@sinclair/typebox';
import type { ComponentStatus } from '../page/component-status.ts';
import { isSealed, type Sealed } from '../sealed.ts';

/**
 * `name` of a type in notifiers/channels/. Any text, so a new type needs no new event version; requests are checked
 * strictly.
 */
export const ChannelTypeName = Type.String({ examples: ['email'] });
export type ChannelTypeName = Static<typeof ChannelTypeName>;

/** What a channel is set to, by its type; the texts that its type says are sealed are {@link Sealed}. */
export const StoredConfiguration = Type.Record(Type.String(), Type.Unknown(), {
  examples: [{ recipients: [{ key: 'a1b2c3d4e5f6', sealed: 'a1b2c3d4e5f6' }] }],
});
export type StoredConfiguration = Static<typeof StoredConfiguration>;

/** The same with its texts open: as an editor sends it, completed by defaults. */
export type Configuration = Record<string, unknown>;

/** The type whose channels send nothing: an alert holds a component of a status page. */
export const STATUS_PAGE = 'statuspage';

/** What a channel of the type {@link STATUS_PAGE} is set to. */
export interface HeldComponent {
  page_id: string;
  component_id: string;
  component_status: ComponentStatus;
}

/** The name of the key under which the texts of a channel are sealed. */
export const channelKey = (channelId: string): string => `alert_channel-${channelId}`;

/** Where a text of a configuration is: a field has one text, a list of them, or one by each name. */
export interface ChannelTextPlace {
  /** `url`, `headers`, `recipients` */
  field: string;
  /** of a header */
  name: string | null;
}

/** What the text at a place is bound to; the recipients of one channel may change places. */
export const channelField = ({ field, name }: ChannelTextPlace): string =>
  name === null ? `configuration.${field}` : `configuration.${field}.${name}`;

/**
 * A copy of a stored configuration of any type with each of its sealed texts replaced.
 *
 * @param open returns, or resolves with, what is to stand there
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
 * A copy of a configuration with its texts open, in which they are replaced.
 *
 * @param fields those whose texts are sealed
 * @param seal returns, or resolves with, what is to stand there
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

/** A copy with the values of some fields replaced: each by itself, or those in a list, or those by name. */
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
