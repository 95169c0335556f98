type TypeName = 'email' | 'webhook' | 'telegram' | 'max' | 'slack' | 'ntfy' | 'statuspage';
type FieldName =
  | 'recipients'
  | 'url'
  | 'method'
  | 'headers'
  | 'body_template'
  | 'secret'
  | 'bot_token'
  | 'chat_id'
  | 'webhook_url'
  | 'server_url'
  | 'topic'
  | 'token'
  | 'page_id'
  | 'component_id'
  | 'component_status';

/** Of alert channels: their list, and the form of one. */
export interface AlertChannelWords {
  title: string;
  add: string;
  addTitle: string;
  none: string;
  noneText: string;
  channel: string;
  type: string;
  types: Readonly<Record<TypeName, string>>;
  /** where messages go */
  target: string;
  lastUsed: string;
  never: string;
  off: string;
  /** behind the label of a channel that is used */
  on: string;
  enable: string;
  disable: string;
  test: string;
  /** while a test is under way */
  testing: string;
  /** how a test went: after how long */
  delivered: (duration: string) => string;
  /** of a component of a status page, which a test does not change */
  found: string;
  failed: string;
  deleteTitle: (name: string) => string;
  deleteText: string;
  fields: Readonly<Record<FieldName, string>>;
  /** what a field may be, of those that need to say so */
  hints: Readonly<Partial<Record<FieldName, string>>>;
  header: string;
  value: string;
  componentStatuses: Readonly<
    Record<'operational' | 'under_maintenance' | 'degraded_performance' | 'partial_outage' | 'major_outage', string>
  >;
  choose: string;
  /** of a secret */
  stored: string;
  replace: string;
  keepStored: string;
  /** where a secret is stored that may be left out */
  emptyRemoves: string;
  enabledField: string;
  settings: string;
  documentation: string;
}
