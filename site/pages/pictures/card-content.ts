import type { IncidentImpact } from '../../../domain/incident/statuses.ts';
import { isResolved } from '../../../domain/incident/statuses.ts';
import { isAbsolute } from '../../../domain/page/public-address.ts';
import type { ComponentStatus } from '../../../domain/page/component-status.ts';
import type { Card } from '../../../messages/cards/card.ts';
import { indicatorOf } from '../../../messages/status-indicator.ts';
import { timesOf } from '../../../messages/times.ts';
import { wordsFor } from '../../../messages/words/index.ts';
import type { IncidentDocument } from '../../../projections/incidents/documents.ts';
import type { CurrentState } from '../../../queries/pages/current-state.ts';
import { directionOf } from '../../../views/document.tsx';
import type { PageVisit } from '../page-route.ts';

/** Maximum number of names on a card. If there are more, the card shows how many names were left out. */
const MOST_NAMES = 4;

const framing = ({ page, address }: PageVisit): Pick<Card, 'page' | 'foot' | 'rightToLeft'> => ({
  page: page.name,
  foot: isAbsolute(address) ? address.replace(/^https?:\/\//, '') : '',
  rightToLeft: directionOf(page.language) === 'rtl',
});

/**
 * Returns the card of a page, with its state and the names of affected components. The card contains nothing that
 * depends on the current time, such as a duration.
 */
export const pageCard = (visit: PageVisit, { status, affected }: CurrentState, language: string): Card => {
  const names = affected.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = affected.length - names.length;
  return {
    ...framing(visit),
    title: wordsFor(language).pageStatus[indicatorOf([status])],
    detail: [...names, ...(more > 0 ? [`+${more}`] : [])].join(' · '),
    state: status,
  };
};

const STATES: Readonly<Record<IncidentImpact, ComponentStatus>> = {
  none: 'operational',
  maintenance: 'under_maintenance',
  minor: 'degraded_performance',
  major: 'partial_outage',
  critical: 'major_outage',
};

/** Returns the card of an incident or a maintenance. */
export const incidentCard = (visit: PageVisit, incident: IncidentDocument, language: string): Card => {
  const words = wordsFor(language);
  const { page } = visit;
  const { name, status, impact, kind, scheduled_for: scheduled, created_at: created } = incident;
  const { moment } = timesOf(words, page.time_zone);
  const isMaintenance = kind === 'maintenance';
  const state = isMaintenance ? 'under_maintenance' : STATES[impact];
  return {
    ...framing(visit),
    title: name,
    detail: [words.incidentStatus[status], moment(scheduled ?? created)].join(' · '),
    state: isResolved(status) ? 'operational' : state,
  };
};
