import type { Route } from '../route.ts';
import { themeRoutes } from '../themes/routes.ts';
import { accessRoutes } from './access/routes.ts';
import { apiV2Routes } from './api-v2/routes.ts';
import { badgeRoutes } from './badges/routes.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { componentRoutes } from './components/routes.ts';
import { embeddingRoutes } from './embedding/routes.ts';
import { feedRoutes } from './feeds/routes.ts';
import { historyRoutes } from './history/routes.ts';
import { incidentRoutes } from './incidents/routes.ts';
import { indexingRoutes } from './indexing/routes.ts';
import { liveRoutes } from './live/routes.ts';
import { pictureRoutes } from './pictures/routes.ts';
import { statusRoutes } from './status/routes.ts';
import { subscribeRoutes } from './subscribe/routes.ts';
import { unknownPathRoutes } from './unknown-paths.ts';

/** All routes below the root of a status page. One line per folder. */
export const pageRoutes: readonly Route[] = [
  ...accessRoutes,
  ...apiV2Routes,
  ...badgeRoutes,
  ...calendarRoutes,
  ...componentRoutes,
  ...embeddingRoutes,
  ...feedRoutes,
  ...historyRoutes,
  ...incidentRoutes,
  ...indexingRoutes,
  ...liveRoutes,
  ...pictureRoutes,
  ...statusRoutes,
  ...subscribeRoutes,
  ...themeRoutes,
  ...unknownPathRoutes,
];
