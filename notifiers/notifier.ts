import type { Tried } from '../domain/delivery/decide.ts';

/** What is to be told, in the forms that notifiers choose from. */
export interface Message {
  /** the same at all tries of a delivery and at no other one, so that its target can tell a repetition */
  id: string;
  /** for programs: `incident.created` */
  event: string;
  /** one line for people */
  subject: string;
  /** for people */
  text: string;
  /** for programs: JSON */
  data: Record<string, unknown>;
}

/** What is needed to reach one receiver: an address, a token. They are kept sealed and opened for each try. */
export type Settings = Readonly<Record<string, unknown>>;

/** Sentences by the path of the field. */
export type SettingsErrors = Record<string, string[]>;

export interface SendContext {
  /** ends what is under way; it then rejects with the signal's reason, unless it is known what became of it */
  signal: AbortSignal;
}

/** What became of a try. */
export type Sent = Tried & {
  /** what the target answered, as its protocol numbers answers; null where it did not or has no numbers */
  response_code: number | null;
};

/**
 * One way in which people and their programs hear of something. Each is a folder of its own; `webhook/` is the example
 * to follow.
 */
export interface Notifier {
  /** stands in the deliveries */
  name: string;
  /** What is wrong with settings; nothing when they can be used. */
  validate: (settings: Settings) => SettingsErrors;
  /** The settings as people are shown them: secrets masked. */
  shown: (settings: Settings) => Settings;
  /** What is to be spared: deliveries that lead to the same place share a limit. */
  limitedBy: (settings: Settings) => string;
  /**
   * Tries once to deliver, within its own time limit. Never throws for what the target does. What it says of a failure
   * holds neither secrets nor addresses of people, and says whether further tries are of use.
   *
   * @throws OwnTrouble this machine could not try, which says nothing of the target
   */
  send: (message: Message, settings: Settings, context: SendContext) => Promise<Sent>;
}
