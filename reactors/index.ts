import { ALERT_RULES } from './alerts/perform.ts';
import { ALERT_HOLDS } from './alerts/holds.ts';
import { OWN_OUTAGES } from './alerts/own-outages.ts';
import { RAISED_ALERTS } from './alerts/raised.ts';
import { CHECK_STATUS } from './check-status.ts';
import { CREDIT_LIMITS } from './credit-limits.ts';
import { EMAIL_DOMAINS } from './email-domains.ts';
import { DELIVERY } from './delivery/deliver.ts';
import { DIGESTS } from './delivery/digests.ts';
import { fanOutName } from './delivery/fan-out.ts';
import { CAUSE_KINDS } from './delivery/kinds.ts';
import { EXECUTION_DEADLINES } from './execution-deadlines.ts';
import { FORGOTTEN_KEYS } from './forgotten-keys.ts';
import { HEARTBEAT_LATENESS } from './heartbeats/lateness.ts';
import { HEARTBEAT_SCHEDULES } from './heartbeats/schedules.ts';
import { HEARTBEAT_VERDICTS } from './heartbeats/verdicts.ts';
import { JOB_RESULTS } from './job-results.ts';
import { JOB_RUNS } from './job-runs.ts';
import { MAILING_TOTALS } from './mailings/totals.ts';
import { MAINTENANCE } from './maintenance.ts';
import { PLAN_CREDITS } from './plan-credits.ts';
import { PAYMENT_BEGINNINGS } from './payments/beginnings.ts';
import { PAID_PLANS } from './payments/paid-plans.ts';
import { SUBSCRIPTION_RENEWALS } from './payments/renewals.ts';
import { SUBSCRIPTION_ENDS } from './payments/subscription-ends.ts';
import { DELETED_REPORTS } from './reports/deleted.ts';
import { REPORTS } from './reports/makings.ts';
import { REPORT_SCHEDULES } from './reports/schedules.ts';
import { DELETED_PAGES } from './subscriptions/deleted-pages.ts';
import { ENDED_INCIDENTS } from './subscriptions/ended-incidents.ts';
import { SUBSCRIPTION_PURGES } from './subscriptions/purges.ts';
import { SUBSCRIPTION_QUARANTINES } from './subscriptions/quarantines.ts';
import { WEBHOOK_CHALLENGES } from './subscriptions/webhook-challenges.ts';

/** Names of all reactors. */
export const REACTORS: readonly string[] = [
  ALERT_HOLDS,
  CHECK_STATUS,
  ALERT_RULES,
  CREDIT_LIMITS,
  EMAIL_DOMAINS,
  EXECUTION_DEADLINES,
  HEARTBEAT_LATENESS,
  HEARTBEAT_SCHEDULES,
  HEARTBEAT_VERDICTS,
  JOB_RESULTS,
  JOB_RUNS,
  MAILING_TOTALS,
  MAINTENANCE,
  OWN_OUTAGES,
  PLAN_CREDITS,
  RAISED_ALERTS,
  PAYMENT_BEGINNINGS,
  PAID_PLANS,
  SUBSCRIPTION_RENEWALS,
  SUBSCRIPTION_ENDS,
  REPORTS,
  REPORT_SCHEDULES,
  DELETED_REPORTS,
  WEBHOOK_CHALLENGES,
  SUBSCRIPTION_PURGES,
  FORGOTTEN_KEYS,
  DELETED_PAGES,
  ENDED_INCIDENTS,
  SUBSCRIPTION_QUARANTINES,
  DELIVERY,
  DIGESTS,
  ...Object.keys(CAUSE_KINDS).map((kind) => fanOutName({ kind })),
];
