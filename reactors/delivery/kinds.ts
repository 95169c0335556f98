import { account } from './account.ts';
import { alert } from './alert.ts';
import type { AnyCauseKind, CauseContext, CauseKind } from './cause.ts';
import { digest } from './digest.ts';
import { heartbeat } from './heartbeat.ts';
import { mailing } from './mailing.ts';
import { payment } from './payment.ts';
import { report } from './report.ts';
import { subscriptionConfirmation } from './subscription-confirmation.ts';

/** Makes each kind of causes, by its name. Each has its own file beside this one. */
export const CAUSE_KINDS: Readonly<Record<string, (context: CauseContext) => AnyCauseKind>> = {
  // A line for each kind.
  account,
  alert,
  mailing,
  payment,
  report,
  heartbeat,
  subscription_confirmation: subscriptionConfirmation,
};

/** Messages that stand for several of some kinds: they are planned by the reactor that makes digests. */
export const DIGEST_KINDS: readonly ((context: CauseContext) => Pick<CauseKind, 'kind' | 'compose'>)[] = [digest];
