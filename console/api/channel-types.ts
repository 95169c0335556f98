// Generated from notifiers/channels/ by `npm run generate`.

/** A field of a channel's configuration. */
export interface ChannelField {
  name: string;
  /** a text, one of several options, a list of texts, or name-value pairs */
  kind: 'text' | 'choice' | 'list' | 'pairs';
  /** the options of a choice */
  options: readonly string[];
  isRequired: boolean;
  /** whether the stored value is never shown again */
  isSecret: boolean;
  /** the default; null: none */
  usual: string | null;
}

/** The configuration fields of each channel type, in documented order. */
export const CHANNEL_TYPES = {
  email: [{ name: 'recipients', kind: 'list', options: [], isRequired: true, isSecret: false, usual: null }],
  webhook: [
    { name: 'url', kind: 'text', options: [], isRequired: true, isSecret: false, usual: null },
    {
      name: 'method',
      kind: 'choice',
      options: ['POST', 'PUT', 'PATCH', 'GET'],
      isRequired: false,
      isSecret: false,
      usual: 'POST',
    },
    { name: 'headers', kind: 'pairs', options: [], isRequired: false, isSecret: false, usual: null },
    { name: 'body_template', kind: 'text', options: [], isRequired: false, isSecret: false, usual: null },
    { name: 'secret', kind: 'text', options: [], isRequired: false, isSecret: true, usual: null },
  ],
  telegram: [
    { name: 'bot_token', kind: 'text', options: [], isRequired: true, isSecret: true, usual: null },
    { name: 'chat_id', kind: 'text', options: [], isRequired: true, isSecret: false, usual: null },
  ],
  max: [
    { name: 'bot_token', kind: 'text', options: [], isRequired: true, isSecret: true, usual: null },
    { name: 'chat_id', kind: 'text', options: [], isRequired: true, isSecret: false, usual: null },
  ],
  slack: [{ name: 'webhook_url', kind: 'text', options: [], isRequired: true, isSecret: true, usual: null }],
  ntfy: [
    { name: 'server_url', kind: 'text', options: [], isRequired: false, isSecret: false, usual: 'https://ntfy.sh' },
    { name: 'topic', kind: 'text', options: [], isRequired: true, isSecret: false, usual: null },
    { name: 'token', kind: 'text', options: [], isRequired: false, isSecret: true, usual: null },
  ],
  statuspage: [
    { name: 'page_id', kind: 'text', options: [], isRequired: true, isSecret: false, usual: null },
    { name: 'component_id', kind: 'text', options: [], isRequired: true, isSecret: false, usual: null },
    {
      name: 'component_status',
      kind: 'choice',
      options: ['operational', 'under_maintenance', 'degraded_performance', 'partial_outage', 'major_outage'],
      isRequired: true,
      isSecret: false,
      usual: null,
    },
  ],
} as const satisfies Readonly<Record<string, readonly ChannelField[]>>;
