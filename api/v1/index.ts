import type { Route } from '../route.ts';
import { allResultsRoutes } from './all-results.ts';
import { auditRoutes } from './audit.ts';
import { checkResultRoutes } from './check-results.ts';
import { checkUptimeRoutes } from './check-uptime.ts';
import { checkRoutes } from './checks.ts';
import { componentGroupRoutes } from './component-groups.ts';
import { componentRoutes } from './components.ts';
import { executionGroupRoutes } from './execution-groups.ts';
import { incidentUpdateRoutes } from './incident-updates.ts';
import { incidentRoutes } from './incidents.ts';
import { jobRoutes } from './jobs.ts';
import { organizationRoutes } from './organizations.ts';
import { pageRoutes } from './pages.ts';
import { referenceListRoutes } from './reference-lists.ts';
import { statusHistoryRoutes } from './status-history.ts';
import { uptimeRoutes } from './uptime.ts';

/** Every route under `/v1`, in the order of the OpenAPI document. */
export const v1Routes: readonly Route[] = [
  ...pageRoutes,
  ...componentRoutes,
  ...componentGroupRoutes,
  ...uptimeRoutes,
  ...incidentRoutes,
  ...incidentUpdateRoutes,
  ...referenceListRoutes,
  ...checkRoutes,
  ...checkResultRoutes,
  ...allResultsRoutes,
  ...checkUptimeRoutes,
  ...statusHistoryRoutes,
  ...jobRoutes,
  ...executionGroupRoutes,
  ...organizationRoutes,
  ...auditRoutes,
];
