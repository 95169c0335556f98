import type { Fields } from '../../../configuration/model.ts';
import { isRow, parsed, text, type Row } from '../../rows.ts';
import { KUMA_BODY } from './templates.ts';

/** A channel, and what is different from the notification. */
export interface ChannelDraft {
  type: string;
  configuration: Fields;
  remark?: string;
}

/** Returns a webhook channel, or null if the address is not one that a webhook can have. */
export const webhookTo = (url: string, body: string | null, more: Fields = {}): ChannelDraft | null => {
  const address = url.trim();
  if (!URL.canParse(address)) return null;
  const { protocol, username, password } = new URL(address);
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return null;
  return { type: 'webhook', configuration: { url: address, ...(body !== null && { body_template: body }), ...more } };
};

/** Puts a text into a template: as JSON without its quotation marks, and without placeholders. */
export const literal = (value: string): string => JSON.stringify(value.replaceAll('{{', '{ {')).slice(1, -1);

/** Maps a notification of the type `webhook`. */
export const webhook = (config: Row): ChannelDraft | null => {
  const headers = headersOf(config);
  const custom = text(config, 'webhookContentType') === 'custom' ? templateOf(text(config, 'webhookCustomBody')) : null;
  const draft = webhookTo(text(config, 'webhookURL'), custom ?? KUMA_BODY, {
    ...(Object.keys(headers.fields).length > 0 && { headers: headers.fields }),
  });
  if (draft === null) return null;
  const remarks = [
    ...(text(config, 'webhookContentType') === 'form-data' ? ['sends JSON instead of form data.'] : []),
    ...(text(config, 'webhookContentType') === 'custom' && custom === null
      ? [
          'sends the usual fields (heartbeat.status, monitor.name, msg), because its own body has placeholders that Uptrail lacks. Write a body_template.',
        ]
      : []),
    ...(text(config, 'httpMethod').toLowerCase() === 'get' ? ['sends POST instead of GET.'] : []),
    ...(headers.complete ? [] : ['was imported without some headers, which a webhook cannot have.']),
  ];
  return {
    ...draft,
    remark: ['sends heartbeat.status, heartbeat.msg, monitor.name and msg; other fields of Uptime Kuma are missing.']
      .filter(() => custom === null && remarks.length === 0)
      .concat(remarks)
      .join(' ')
      .trim(),
  };
};

/** Headers that the service sets itself, or that must not differ. */
const OWN_HEADERS = /^(?:content-(?:type|length|encoding)|webhook-.*|connection|host|transfer-encoding)$/i;

const headersOf = (config: Row): { fields: Record<string, string>; complete: boolean } => {
  const value = parsed(text(config, 'webhookAdditionalHeaders') || '{}');
  if (!isRow(value)) return { fields: {}, complete: false };
  const entries = Object.entries(value).map(([name, content]) => [name, String(content)] as const);
  const valid = entries.filter(
    ([name, content]) =>
      /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
      /^[\t\x20-\x7e\x80-\xff]*$/.test(content) &&
      !OWN_HEADERS.test(name),
  );
  const dropped = entries.filter(([name]) => !OWN_HEADERS.test(name)).length - valid.length;
  return { fields: Object.fromEntries(valid), complete: dropped === 0 };
};

/** Matches the placeholders of Uptime Kuma whose meaning Uptrail has. */
const KNOWN: readonly [RegExp, string][] = [
  [/\{\{\s*msg\s*\}\}/g, '{{message.text}}'],
  [/\{\{\s*(?:name|monitorJSON(?:\.name|\[['"]name['"]\]))\s*\}\}/g, '{{check.name}}{{heartbeat.name}}'],
  [/\{\{\s*heartbeatJSON(?:\.msg|\[['"]msg['"]\])\s*\}\}/g, '{{message.subject}}'],
  [/\{\{\s*heartbeatJSON(?:\.status|\[['"]status['"]\])\s*\}\}/g, '{{#fired}}0{{/fired}}{{#resolved}}1{{/resolved}}'],
];

/** Converts a body of a user. Returns null if it has other placeholders, or is no JSON. */
const templateOf = (body: string): string | null => {
  const plain = KNOWN.reduce((rest, [placeholder]) => rest.replace(placeholder, '0'), body);
  if (/\{\{|\{%/.test(plain) || parsed(plain) === null) return null;
  return KNOWN.reduce((rest, [placeholder, replacement]) => rest.replace(placeholder, () => replacement), body);
};
