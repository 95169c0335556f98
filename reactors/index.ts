import { eventTypes } from '../domain/event-types.ts';
import type { AnyProjection } from '../projections/engine/fold/define.ts';
import { componentHolds } from './alerts/component-holds.ts';
import { ruleJudgements } from './alerts/judge.ts';
import { alertMutes } from './alerts/alert-mutes.ts';
import { ownOutages } from './alerts/own-outages.ts';
import { raisedAlerts } from './alerts/raised-alerts.ts';
import { checkStatus } from './check-status.ts';
import { creditLimits } from './credit-limits.ts';
import { createDeliveryReactor } from './delivery/deliver.ts';
import { digests } from './delivery/digests.ts';
import { fanOut } from './delivery/fan-out.ts';
import { CAUSE_KINDS, DIGEST_KINDS } from './delivery/cause-kinds.ts';
import { emailDomainChecks } from './email-domains.ts';
import type { ReactorDefinition } from './engine/define.ts';
import { executionDeadlines } from './execution-deadlines.ts';
import { forgottenKeys } from './forgotten-keys.ts';
import { heartbeatLateness } from './heartbeats/lateness.ts';
import { heartbeatSchedules } from './heartbeats/schedules.ts';
import { heartbeatVerdicts } from './heartbeats/verdicts.ts';
import { jobResults } from './job-results.ts';
import { jobRuns } from './job-runs.ts';
import { mailingTotals } from './mailings/totals.ts';
import { maintenance } from './maintenance.ts';
import { paymentBeginnings } from './payments/beginnings.ts';
import { paidPlans } from './payments/paid-plans.ts';
import { renewals } from './payments/renewals.ts';
import { subscriptionEnds } from './payments/subscription-ends.ts';
import { planCredits } from './plan-credits.ts';
import { deletedReports } from './reports/deleted.ts';
import { reportMaking } from './reports/report-making.ts';
import { reportSchedules } from './reports/schedules.ts';
import { deletedPages } from './subscriptions/deleted-pages.ts';
import { endedIncidents } from './subscriptions/ended-incidents.ts';
import { purges } from './subscriptions/purges.ts';
import { quarantines } from './subscriptions/quarantines.ts';
import { webhookChallenges } from './subscriptions/webhook-challenges.ts';

/** All reactors. The service, the operator's commands and the generated documents use this list. */
export const REACTORS: readonly ReactorDefinition[] = [
  // One line per reactor.
  checkStatus,
  ruleJudgements,
  componentHolds,
  alertMutes,
  ownOutages,
  raisedAlerts,
  executionDeadlines,
  jobRuns,
  jobResults,
  maintenance,
  creditLimits,
  planCredits,
  emailDomainChecks,
  heartbeatLateness,
  heartbeatSchedules,
  heartbeatVerdicts,
  mailingTotals,
  paymentBeginnings,
  paidPlans,
  renewals,
  subscriptionEnds,
  reportMaking,
  reportSchedules,
  deletedReports,
  forgottenKeys,
  webhookChallenges,
  purges,
  endedIncidents,
  quarantines,
  deletedPages,
  digests,
  createDeliveryReactor([...CAUSE_KINDS, ...DIGEST_KINDS]),
  ...CAUSE_KINDS.map((kind) => fanOut(kind)),
];

/** The names of the reactors, as shown to operators. */
export const REACTOR_NAMES: readonly string[] = REACTORS.map(({ name }) => name).sort();

/** Read models that the reactors follow, including the read models that contain their lists. */
export const FOLLOWED_PROJECTIONS: readonly AnyProjection[] = [
  ...new Set(REACTORS.flatMap(({ follows }) => follows.map(({ projection }) => projection))),
];

/** Returns the stream categories of a log whose events can add an item to the list of a reactor. */
export const watchedCategories = (log: 'main' | 'results'): string[] => {
  const types = FOLLOWED_PROJECTIONS.filter((projection) => projection.log === log).flatMap(({ on }) =>
    Object.keys(on),
  );
  return Object.entries(eventTypes)
    .filter(([, events]) => types.some((type) => type in events))
    .map(([category]) => category);
};
