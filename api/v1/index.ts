import { withPast } from '../past/routes.ts';
import type { Route } from '../route.ts';
import { alertRuleRoutes } from './alerts/rules/routes.ts';
import { alertSimulationRoutes } from './alerts/rules/simulation-routes.ts';
import { allResultsRoutes } from './results/all-results-routes.ts';
import { alertBulkRoutes } from './alerts/bulk-routes.ts';
import { alertRoutes } from './alerts/routes.ts';
import { alertChannelRoutes } from './alerts/channels/routes.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { artifactRoutes } from './artifacts/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { checkGroupRoutes } from './check-groups/routes.ts';
import { resultExportRoutes } from './results/export-routes.ts';
import { checkResultRoutes } from './results/routes.ts';
import { checkUptimeRoutes } from './checks/uptime-routes.ts';
import { checkOverviewRoutes } from './checks/overview-routes.ts';
import { checkBulkRoutes } from './checks/bulk-routes.ts';
import { checkRoutes } from './checks/routes.ts';
import { componentGroupRoutes } from './components/component-groups-routes.ts';
import { componentRoutes } from './components/routes.ts';
import { emailDomainRoutes } from './email-domain/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { executionGroupRoutes } from './execution-groups/routes.ts';
import { heartbeatChannelRoutes } from './heartbeats/channels-routes.ts';
import { heartbeatRoutes } from './heartbeats/routes.ts';
import { pingRoutes } from './heartbeats/ping-routes.ts';
import { incidentUpdateRoutes } from './incidents/incident-updates-routes.ts';
import { incidentPreviewRoutes } from './incidents/preview-routes.ts';
import { incidentRoutes } from './incidents/routes.ts';
import { incidentTemplateRoutes } from './incident-templates/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { pagePasswordRoutes } from './pages/passwords/routes.ts';
import { pagePreviewRoutes } from './pages/preview-routes.ts';
import { pageRoutes } from './pages/routes.ts';
import { paymentRoutes } from './payments/routes.ts';
import { postmortemRoutes } from './incidents/postmortem-routes.ts';
import { referenceListRoutes } from './reference/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { runnerRoutes } from './runners/routes.ts';
import { secretBindingRoutes } from './checks/secrets-routes.ts';
import { secretRoutes } from './secrets/routes.ts';
import { statusHistoryRoutes } from './checks/status-history-routes.ts';
import { subscriberRoutes } from './subscribers/routes.ts';
import { statementRoutes } from './statements/routes.ts';
import { uptimeRoutes } from './uptime/routes.ts';
import { firstUserRoutes } from './session/first-user-routes.ts';
import { browserSessionRoutes } from './session/routes.ts';
import { signInRoutes } from './login/routes.ts';
import { accountLinkRoutes } from './users/link-routes.ts';
import { passwordRoutes } from './users/password-routes.ts';
import { userRoutes } from './users/routes.ts';
import { sessionRoutes } from './users/sessions-routes.ts';
import { totpRoutes } from './users/totp-routes.ts';

/** The declared routes. They do not include the parameters and routes for past states and histories. */
export const declaredRoutes: readonly Route[] = [
  ...pageRoutes,
  ...pagePreviewRoutes,
  ...pagePasswordRoutes,
  ...componentRoutes,
  ...componentGroupRoutes,
  ...uptimeRoutes,
  ...statementRoutes,
  ...incidentRoutes,
  ...incidentPreviewRoutes,
  ...incidentUpdateRoutes,
  ...postmortemRoutes,
  ...incidentTemplateRoutes,
  ...notificationRoutes,
  ...emailDomainRoutes,
  ...subscriberRoutes,
  ...referenceListRoutes,
  ...checkRoutes,
  ...checkOverviewRoutes,
  ...checkBulkRoutes,
  ...secretRoutes,
  ...secretBindingRoutes,
  ...runnerRoutes,
  ...checkGroupRoutes,
  ...resultExportRoutes,
  ...checkResultRoutes,
  ...allResultsRoutes,
  ...checkUptimeRoutes,
  ...statusHistoryRoutes,
  ...jobRoutes,
  ...heartbeatRoutes,
  ...pingRoutes,
  ...heartbeatChannelRoutes,
  ...executionGroupRoutes,
  ...alertChannelRoutes,
  ...alertRuleRoutes,
  ...alertSimulationRoutes,
  ...alertRoutes,
  ...alertBulkRoutes,
  ...reportRoutes,
  ...eventRoutes,
  ...organizationRoutes,
  ...signInRoutes,
  ...browserSessionRoutes,
  ...firstUserRoutes,
  ...userRoutes,
  ...passwordRoutes,
  ...accountLinkRoutes,
  ...totpRoutes,
  ...sessionRoutes,
  ...paymentRoutes,
  ...apiKeyRoutes,
  ...auditRoutes,
  ...operatorRoutes,
  ...artifactRoutes,
];

/** Every route under `/v1`, in the order of the OpenAPI document. */
export const v1Routes: readonly Route[] = withPast(declaredRoutes);
