import type { LiveRunners } from '../domain/check/regions.ts';
import type { Credits } from '../domain/credits/credits.ts';
import type { ChannelTests, Receivers } from './alerts/channel-tests.ts';
import type { SignUpLimits } from '../domain/subscriber/limits.ts';
import type { Entries } from '../stores/coordination/port.ts';
import type { Keys } from '../stores/keys/port.ts';
import type { TextAnswer } from '../domain/email-domain/record-check.ts';
import type { Handle } from './engine/handle.ts';
import type { Plans } from '../domain/organization/plans.ts';
import type { PaymentProvider } from './payments/provider.ts';
import type { PageNames } from './reservations/page-names.ts';
import type { UserEmails } from './reservations/user-emails.ts';
import type { StatusTimes } from './pages/component-status-times.ts';
import type { Passwords } from '../stores/passwords/port.ts';
import type { PlanQuotas } from './reservations/quotas.ts';
import type { SecretClaims } from './reservations/secret-claims.ts';
import type { SecretNames } from './reservations/secret-names.ts';
import type { Batches } from '../stores/event-store/port.ts';

/** The limits of signing up. */
export interface SignUpDependencies extends SignUpLimits {
  /** Counts a sign-up without an API key against the client's rate limit. @throws an error if the limit is exceeded */
  admit: (clientAddress: string | null) => void;
}

/** Admits and stores pings of heartbeats. */
export interface PingDependencies {
  /** Counts a ping against the heartbeat's rate limit. @throws an error if the limit is exceeded */
  admit: (heartbeatId: string) => void;
  /** Stores an event in the results log. Several events share one append. */
  store: Batches['store'];
}

/** The dependencies of all commands. Each command is a function that takes only the dependencies that it needs. */
export interface CommandDependencies {
  handle: Handle;
  keys: Keys;
  /** state that expires: sessions, allowances, the last use of API keys */
  entries: Entries;
  /** times at which component statuses were last set */
  statusTimes: StatusTimes;
  /** the check types that can run in each region */
  runners: LiveRunners;
  /** Tells whether an organization has enough credits. */
  credits: Pick<Credits, 'canPay'>;
  /** Queries the DNS for the TXT records of a name. Never rejects. */
  lookUpTexts: (name: string) => Promise<TextAnswer>;
  /** The domain of `MAIL_FROM`. Null if `MAIL_FROM` is not set. */
  mailDomain: string | null;
  /** Whether the service sends e-mail. If not, account links are not mailed but returned to the requesting user. */
  mails: boolean;
  /** Validates message receivers. */
  receivers: Receivers;
  /** sends tests of alert channels */
  channelTests: ChannelTests;
  /** the limits of signing up to pages */
  signUps: SignUpDependencies;
  /** admits and stores pings of heartbeats */
  pings: PingDependencies;
  /** all plans, and the one that applies without a subscription */
  plans: Plans;
  /** hashes passwords with bounded concurrency */
  passwords: Passwords;
  /** separate hasher for page passwords, so that guessing them never delays sign-ins */
  pagePasswords: Passwords;
  /** The payment method. Null if the service accepts no payments. */
  payments: PaymentProvider | null;
  /** Keeps names of pages unique. All commands of a process share it, so that claims of one name run in sequence. */
  pageNames: PageNames;
  /** Keeps e-mail addresses of users unique. Shared by all commands of a process. */
  userEmails: UserEmails;
  /** Keeps names of secrets unique in each organization. Shared by all commands of a process. */
  secretNames: SecretNames;
  /** Records which checks use a secret, so that a secret in use cannot be deleted. */
  secretClaims: SecretClaims;
  /** Enforces the quotas of plans. All commands of a process share it, so that claims of one quota run in sequence. */
  quotas: PlanQuotas;
}
