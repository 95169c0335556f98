import type { AnyCauseKind, CauseContext } from './cause.ts';
import { mailing } from './mailing.ts';
import { report } from './report.ts';
import { subscriptionConfirmation } from './subscription-confirmation.ts';

/** Makes each kind of causes, by its name. Each has its own file beside this one. */
export const CAUSE_KINDS: Readonly<Record<string, (context: CauseContext) => AnyCauseKind>> = {
  // A line for each kind.
  mailing,
  report,
  subscription_confirmation: subscriptionConfirmation,
};
