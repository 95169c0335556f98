import { accountMails } from './account-mails/projection.ts';
import { alertChannels } from './alert-channels/projection.ts';
import { alertHolds } from './alert-holds/projection.ts';
import { alertRules } from './alert-rules/projection.ts';
import { alerts } from './alerts/projection.ts';
import { audit } from './audit/projection.ts';
import { checkActivity } from './check-activity/projection.ts';
import { checkGroups } from './check-groups/projection.ts';
import { checkResults } from './check-results/projection.ts';
import { checkStatusHistory } from './check-status-history/projection.ts';
import { checkVerdicts } from './check-verdicts/projection.ts';
import { checks } from './checks/projection.ts';
import { components } from './components/projection.ts';
import { deliveries } from './deliveries/projection.ts';
import { emailDomains } from './email-domains/projection.ts';
import type { AnyProjection } from './engine/fold/define.ts';
import { executionGroups } from './execution-groups/projection.ts';
import { heartbeatPings } from './heartbeat-pings/projection.ts';
import { heartbeats } from './heartbeats/projection.ts';
import { incidentEdits } from './incident-edits/projection.ts';
import { incidentTemplates } from './incident-templates/projection.ts';
import { incidents } from './incidents/projection.ts';
import { jobOutcomes } from './job-outcomes/projection.ts';
import { jobs } from './jobs/projection.ts';
import { judgedChecks } from './judged-checks/projection.ts';
import { keysToForget } from './keys-to-forget/projection.ts';
import { mailings } from './mailings/projection.ts';
import { maintenances } from './maintenances/projection.ts';
import { organizations } from './organizations/projection.ts';
import { pages } from './pages/projection.ts';
import { quietChecks } from './quiet-checks/projection.ts';
import { payments } from './payments/projection.ts';
import { regionOutages } from './region-outages/projection.ts';
import { reports } from './reports/projection.ts';
import { ruleInputs } from './rule-inputs/projection.ts';
import { runners } from './runners/projection.ts';
import { secrets } from './secrets/projection.ts';
import { subscribers } from './subscribers/projection.ts';
import { usage } from './usage/projection.ts';
import { suspectRunners } from './suspect-runners/projection.ts';
import { subscriptionTasks } from './subscription-tasks/projection.ts';

/** Every read model. */
export const projections: readonly AnyProjection[] = [
  organizations,
  usage,
  pages,
  heartbeats,
  heartbeatPings,
  components,
  incidents,
  incidentEdits,
  incidentTemplates,
  subscribers,
  subscriptionTasks,
  keysToForget,
  accountMails,
  maintenances,
  quietChecks,
  emailDomains,
  audit,
  checks,
  checkGroups,
  secrets,
  runners,
  alertChannels,
  alertRules,
  checkStatusHistory,
  checkResults,
  checkActivity,
  checkVerdicts,
  judgedChecks,
  ruleInputs,
  suspectRunners,
  executionGroups,
  jobs,
  jobOutcomes,
  alerts,
  reports,
  payments,
  alertHolds,
  regionOutages,
  mailings,
  deliveries,
];
