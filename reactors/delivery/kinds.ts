import { account } from './account.ts';
import { alert } from './alert.ts';
import type { AnyCauseKind, DigestKind } from './cause.ts';
import { digest } from './digest.ts';
import { heartbeat } from './heartbeat.ts';
import { mailing } from './mailing.ts';
import { payment } from './payment.ts';
import { region } from './region.ts';
import { report } from './report.ts';
import { subscriptionConfirmation } from './subscription-confirmation.ts';

/** Every kind of causes. Each has its own file beside this one. */
export const CAUSE_KINDS: readonly AnyCauseKind[] = [
  // A line for each kind.
  account,
  alert,
  mailing,
  payment,
  report,
  heartbeat,
  region,
  subscriptionConfirmation,
];

/** Messages that stand for several of some kinds: they are planned by the reactor that makes digests. */
export const DIGEST_KINDS: readonly DigestKind[] = [digest];
