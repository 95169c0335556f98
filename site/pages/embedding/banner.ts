import type { ComponentStatus } from '../../../domain/page/component-status.ts';
import { indicatorOf } from '../../../messages/status-indicator.ts';
import { wordsFor } from '../../../messages/words/index.ts';
import { readCurrentState } from '../../../queries/pages/current-state.ts';
import { activeIncidents, maintenancesUnderWay } from '../../../queries/pages/public-incidents.ts';
import type { PageVisit } from '../page-route.ts';

/** The state of a page in one line. */
export interface Banner {
  status: ComponentStatus;
  text: string;
  /** names of the current incidents or, if there are none, of the affected components; empty if there are neither */
  detail: string;
  /** whether nothing is wrong and no maintenance is in progress */
  quiet: boolean;
}

/** Maximum number of names in a banner. */
const MOST_NAMES = 3;

/** Returns the banner for embedding in other sites. */
export const bannerOf = async ({ scope, page }: PageVisit, language: string): Promise<Banner> => {
  const [{ status, affected }, active, underWay] = await Promise.all([
    readCurrentState(scope, page),
    activeIncidents(scope, page),
    maintenancesUnderWay(scope, page),
  ]);
  const happening = [...active.shown, ...underWay].map(({ name }) => name);
  const names = happening.length > 0 ? happening : affected.map(({ name }) => name);
  const more = names.length - MOST_NAMES;
  return {
    status,
    text: wordsFor(language).pageStatus[indicatorOf([status])],
    detail: [...names.slice(0, MOST_NAMES), ...(more > 0 ? [`+${more}`] : [])].join(' · '),
    quiet: names.length === 0,
  };
};
