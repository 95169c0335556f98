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
  /** heading of the column with the destination of messages */
  target: string;
  lastUsed: string;
  never: string;
  off: string;
  /** shown after the label of an enabled channel */
  on: string;
  enable: string;
  disable: string;
  test: string;
  /** shown while a test is in progress */
  testing: string;
  /** shown after a successful test; `duration`: time that the delivery took */
  delivered: (duration: string) => string;
  /**
   * shown after a successful test of a channel that sets a component's status. The test only verifies that the
   * component exists
   */
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
  /** shown if a secret is stored */
  stored: string;
  replace: string;
  keepStored: string;
  /** shown if the stored secret is optional and can therefore be removed */
  emptyRemoves: string;
  enabledField: string;
  settings: string;
  documentation: string;
}
