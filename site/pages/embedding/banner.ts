import type { ComponentStatus } from '../../../domain/page/component-status.ts';
import { indicatorOf } from '../../../messages/status-indicator.ts';
import { wordsFor } from '../../../messages/words/index.ts';
import { currentState } from '../../../queries/pages/current-state.ts';
import { activeIncidents, maintenancesUnderWay } from '../../../queries/pages/public-incidents.ts';
import type { PageVisit } from '../page-route.ts';

/** How a page is, in a line. */
export interface Banner {
  status: ComponentStatus;
  text: string;
  /** incidents, else what is affected; empty: neither */
  detail: string;
  /** whether nothing is wrong, and nothing is being worked on */
  quiet: boolean;
}

/** Names that a banner lists. */
const MOST_NAMES = 3;

/** What a banner in somebody else's page says. */
export const bannerOf = async ({ scope, page }: PageVisit, language: string): Promise<Banner> => {
  const [{ status, affected }, active, underWay] = await Promise.all([
    currentState(scope, page),
    activeIncidents(scope, page),
    maintenancesUnderWay(scope, page),
  ]);
  const happening = [...active.shown, ...underWay].map(({ name }) => name);
  const names = happening.length > 0 ? happening : affected.map(({ name }) => name);
  const more = names.length - MOST_NAMES;
  return {
    status,
    text: wordsFor(language).pageStatus[indicatorOf([status])],
    detail: [...names.slice(0, MOST_NAMES), ...(more > 0 ? [`+${more.toString()}`] : [])].join(' · '),
    quiet: names.length === 0,
  };
};
