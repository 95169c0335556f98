import type { LiveRunners } from '../domain/check/regions.ts';
import type { Credits } from '../domain/credits/credits.ts';
import type { ChannelTests, Receivers } from './alerts/receivers.ts';
import type { SignUpLimits } from '../domain/subscriber/limits.ts';
import type { Entries } from '../stores/coordination/port.ts';
import type { Keys } from '../stores/keys/port.ts';
import type { TextAnswer } from '../domain/email-domain/judge.ts';
import type { Handle } from './engine/handle.ts';
import type { Plans } from '../domain/organization/plans.ts';
import type { PaymentProvider } from './payments/provider.ts';
import type { PageNames } from './reservations/page-names.ts';
import type { UserEmails } from './reservations/user-emails.ts';
import type { StatusTimes } from './pages/status-times.ts';
import type { Passwords } from '../stores/passwords/port.ts';
import type { Places } from './reservations/places.ts';
import type { SecretClaims } from './reservations/secret-claims.ts';
import type { SecretNames } from './reservations/secret-names.ts';
import type { Batches } from '../stores/event-store/port.ts';

/** What subscribing is limited by. */
export interface SignUps extends SignUpLimits {
  /** Lets a client without a key subscribe once more. @throws whatever tells it that it does so too often */
  admit: (clientAddress: string | null) => void;
}

/** Where pings of heartbeats go. */
export interface Pings {
  /** Lets a heartbeat be pinged once more. @throws whatever tells that it is pinged too often */
  admit: (heartbeatId: string) => void;
  /** Stores an event in the results log, many in one append. */
  store: Batches['store'];
}

/** What commands need; each command is a function of these. */
export interface CommandDependencies {
  handle: Handle;
  keys: Keys;
  /** state that ends by itself: sessions, allowances, when keys were last used */
  entries: Entries;
  /** when statuses of components were last set */
  statusTimes: StatusTimes;
  /** what can be run where */
  runners: LiveRunners;
  /** what organizations may still spend */
  credits: Pick<Credits, 'canPay'>;
  /** asks the DNS for the TXT records of a name; it never rejects */
  lookUpTexts: (name: string) => Promise<TextAnswer>;
  /** the domain of `MAIL_FROM`; null without one */
  mailDomain: string | null;
  /** whether e-mail is sent: links of accounts go there, else whoever asks for one gets it */
  mails: boolean;
  /** what messages can be sent to */
  receivers: Receivers;
  /** sends tests of alert channels */
  channelTests: ChannelTests;
  /** what subscribing to pages is limited by */
  signUps: SignUps;
  /** where pings of heartbeats go */
  pings: Pings;
  /** what organizations can have, and what they have without a subscription */
  plans: Plans;
  /** hashes passwords, a bounded number at once */
  passwords: Passwords;
  /** separate hasher for page passwords, so that guessing them never delays sign-ins */
  pagePasswords: Passwords;
  /** how plans are paid for; null: they can't be */
  payments: PaymentProvider | null;
  /** the unique names of pages; shared by all commands of a process, so that rivals for a name take turns */
  pageNames: PageNames;
  /** the same for e-mails of users */
  userEmails: UserEmails;
  /** the same for names of secrets, by organization */
  secretNames: SecretNames;
  /** keep secrets that checks are bound to from being deleted */
  secretClaims: SecretClaims;
  /** the limits of plans; shared by all commands of a process, so that rivals for a place take turns */
  places: Places;
}
