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

/** Every cause kind. Each has its own file in this folder. */
export const CAUSE_KINDS: readonly AnyCauseKind[] = [
  // One line per kind.
  account,
  alert,
  mailing,
  payment,
  report,
  heartbeat,
  region,
  subscriptionConfirmation,
];

/** Kinds of digests. The `digests` reactor plans their messages, so they have no list of causes. */
export const DIGEST_KINDS: readonly DigestKind[] = [digest];
