/** What can be known of a receiver without sending anything to it (notifiers/notifier.ts). */
export interface Receivers {
  /** Says what is wrong with the settings of a notifier, sentences by field. */
  problems: (notifier: string, settings: Readonly<Record<string, unknown>>) => Record<string, string[]>;
  /** Names what shares a limit with other receivers of this notifier. */
  limitedBy: (notifier: string, settings: Readonly<Record<string, unknown>>) => string;
}
