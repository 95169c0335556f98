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

/** Texts of the alert channel list and form. */
export interface AlertChannelWords {
  title: string;
  add: string;
  addTitle: string;
  none: string;
  noneText: string;
  channel: string;
  type: string;
  types: Readonly<Record<TypeName, string>>;
  /** the destination of messages */
  target: string;
  lastUsed: string;
  never: string;
  off: string;
  /** after the label of an enabled channel */
  on: string;
  enable: string;
  disable: string;
  test: string;
  /** while a test is in progress */
  testing: string;
  /** the test succeeded; `duration`: how long delivery took */
  delivered: (duration: string) => string;
  /** the component of a status page exists; a test does not change it */
  found: string;
  failed: string;
  deleteTitle: (name: string) => string;
  deleteText: string;
  fields: Readonly<Record<FieldName, string>>;
  /** hints for the fields that need one */
  hints: Readonly<Partial<Record<FieldName, string>>>;
  header: string;
  value: string;
  componentStatuses: Readonly<
    Record<'operational' | 'under_maintenance' | 'degraded_performance' | 'partial_outage' | 'major_outage', string>
  >;
  choose: string;
  /** a secret is stored */
  stored: string;
  replace: string;
  keepStored: string;
  /** the stored secret is optional */
  emptyRemoves: string;
  enabledField: string;
  settings: string;
  documentation: string;
}
