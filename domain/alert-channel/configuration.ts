import { Type, type Static, type TSchema, type TString } from '@sinclair/typebox';
import { ComponentStatus } from '../page/component-status.ts';
import { Sealed } from '../sealed.ts';

/** How an alert reaches people and programs (decisions.md: Alerts). */
export const CHANNEL_TYPES = ['email', 'webhook', 'telegram', 'max', 'statuspage'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

const TYPES: ReadonlySet<string> = new Set(CHANNEL_TYPES);
export const isChannelType = (text: string): text is ChannelType => TYPES.has(text);

/** Methods of a webhook. A GET has no body: its message is in the query (docs/alert-channels.md#webhooks). */
export const CHANNEL_METHODS = ['POST', 'PUT', 'PATCH', 'GET'] as const;

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const oneOf = <T extends string>(texts: readonly T[]) => Type.Union(texts.map((text) => Type.Literal(text)));

/** What a channel of each type is set to, with its texts as `text`: sealed in events, open in between. */
const configurations = <T extends TSchema>(text: T) => ({
  /** each recipient gets messages of its own */
  email: Type.Object({ recipients: Type.Array(text) }),
  webhook: Type.Object({
    url: text,
    method: oneOf(CHANNEL_METHODS),
    /** values by name */
    headers: Type.Record(Type.String(), text),
    /** the body with its places, such as `{{alert.title}}`; null: the documented body */
    body_template: orNull(text),
    /** `whsec_…`: requests are signed with it (Standard Webhooks); null: they are not */
    secret: orNull(text),
  }),
  telegram: Type.Object({ bot_token: text, chat_id: Type.String() }),
  max: Type.Object({ bot_token: text, chat_id: Type.String() }),
  statuspage: Type.Object({
    page_id: Type.String(),
    component_id: Type.String(),
    component_status: ComponentStatus,
  }),
});

export const StoredConfigurations = configurations(Sealed);
type OpenConfigurations = ReturnType<typeof configurations<TString>>;

/** The configuration of each type as it is stored. */
export type StoredConfigurationOf = { [T in ChannelType]: Static<(typeof StoredConfigurations)[T]> };
/** The configuration of each type with its texts open: as an editor sends it, completed by defaults. */
export type ConfigurationOf = { [T in ChannelType]: Static<OpenConfigurations[T]> };

export type StoredConfiguration = StoredConfigurationOf[ChannelType];
export type Configuration = ConfigurationOf[ChannelType];

/** The name of the key under which the texts of a channel are sealed. */
export const channelKey = (channelId: string): string => `alert_channel-${channelId}`;

/** The fields, of any type, whose texts are sealed: one text, a list of them, or one by each name. */
const SEALED_FIELDS: ReadonlySet<string> = new Set([
  'recipients',
  'url',
  'headers',
  'body_template',
  'secret',
  'bot_token',
]);

/** Where a text of a configuration is. */
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
 * A copy of a configuration with each of its texts, sealed or not, replaced by what `transform` makes of it.
 *
 * @param transform gets what stands there, and returns, or resolves with, what is to stand there
 */
export const mapChannelTexts = async (
  configuration: object,
  transform: (text: unknown, place: ChannelTextPlace) => unknown,
): Promise<Record<string, unknown>> => {
  const entries = Object.entries(configuration).map(async ([field, value]: [string, unknown]) => {
    if (!SEALED_FIELDS.has(field) || value === null || value === undefined) return [field, value] as const;
    if (field === 'recipients') {
      return [
        field,
        await Promise.all((value as unknown[]).map((text) => transform(text, { field, name: null }))),
      ] as const;
    }
    if (field !== 'headers') return [field, await transform(value, { field, name: null })] as const;
    const headers = Object.entries(value).map(
      async ([name, text]: [string, unknown]) => [name, await transform(text, { field, name })] as const,
    );
    return [field, Object.fromEntries(await Promise.all(headers))] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
};
