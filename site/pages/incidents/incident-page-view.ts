import { millisecondsOf, SECOND_MS } from '../../../domain/time.ts';
import { NotFound } from '../../../domain/errors.ts';
import { prepareHtml } from '../../../messages/markdown/html-cache.ts';
import type { IncidentDocument } from '../../../projections/incidents/documents.ts';
import { componentsForVisitors } from '../../../queries/pages/visible-components.ts';
import { readVisibleEdits } from '../../../queries/pages/incident-edits.ts';
import { findIncident } from '../../../queries/pages/incidents.ts';
import { readUptimeByParts } from '../../../queries/uptime/uptime-by-parts.ts';
import type { IncidentPageProps } from '../../../views/status/incident-page.tsx';
import type { FrameFactory } from '../html-page.ts';
import { incidentPath } from '../../../views/status/incidents.tsx';
import { incidentView, componentNamesById, textsOf } from '../incident-view.ts';
import type { PageVisit } from '../page-route.ts';
import { barScale, barsOver } from '../status/bars.ts';

/** Maximum number of updates per page. Each update may be long. */
const AT_ONCE = 50;
/** Number of bars that show the status of a component during an incident. */
const BARS = 60;
/** Maximum number of components for which bars are shown. */
const MOST_STRIPS = 10;

/** Returns the view model of an incident's or maintenance's page. @throws NotFound */
export const incidentPageView = async (
  visit: Pick<PageVisit, 'scope' | 'page'>,
  kind: IncidentDocument['kind'],
  { id, page: number }: { id: string; page: number },
  framed: FrameFactory,
): Promise<IncidentPageProps> => {
  const { scope, page } = visit;
  const incident = await findIncident(scope, { page_id: page.id, incident_id: id });
  if (incident.kind !== kind) throw new NotFound('Not found.');
  const { name: title, created_at, updated_at } = incident;
  const [published, modified] = [created_at, updated_at].map((at) => `${at}Z`) as [string, string];
  const path = incidentPath(incident);
  const card = `incidents/${id}/card.png`;
  const about = { kind: 'incident', id, name: title } as const;
  const frame = framed({ path, title, card, about, article: { published, modified } });
  const [{ all, visible }, edits] = await Promise.all([
    componentsForVisitors(scope, page),
    readVisibleEdits(scope, incident),
  ]);
  const skip = (number - 1) * AT_ONCE;
  const view = incidentView(incident, componentNamesById(all), { skip, most: AT_ONCE });
  const isLast = skip + AT_ONCE >= view.updateCount;
  if (number > 1 && view.updates.length === 0) throw new NotFound('Not found.');
  const [from, until] = [view.startedAt, view.resolvedAt ?? scope.now].map(millisecondsOf) as [number, number];
  const named = visible.filter((one) => incident.component_ids.includes(one.id) && !one.group).slice(0, MOST_STRIPS);
  const range = partsBetween(from, until);
  const hasBegun = incident.status !== 'scheduled' && until > from;
  const uptime = hasBegun ? await readUptimeByParts(scope, named, { ...range, timeZone: page.time_zone }) : null;
  const parts = { ...range, name: '24h', days: false } as const;
  const barsOf = barsOver(parts, frame);
  const { postmortem_body, postmortem_published_at } = incident;
  const postmortem =
    postmortem_body !== null && postmortem_published_at !== null
      ? { body: postmortem_body, publishedAt: postmortem_published_at }
      : null;
  const deleted = number === 1 ? edits.deleted : [];
  await prepareHtml([...textsOf([view]), ...[...edits.previous.values()].flat().map(({ body }) => body)], 4);
  if (postmortem) await prepareHtml([postmortem.body], 3);
  return {
    frame,
    incident: view,
    previous: new Map(
      [...edits.previous].map(([updateId, texts]) => [
        updateId,
        texts.map(({ body, replaced_at }) => ({ body, replacedAt: replaced_at })),
      ]),
    ),
    deleted: deleted.map(({ id: updateId, status, created_at, deleted_at }) => ({
      id: updateId,
      status,
      at: created_at,
      deletedAt: deleted_at,
    })),
    postmortem: number === 1 ? postmortem : null,
    strips: named.flatMap(({ id: componentId, name }) => {
      const found = uptime?.get(componentId);
      return found ? [{ id: componentId, name, bars: barsOf(found) }] : [];
    }),
    scale: barScale(parts),
    duration: Math.max(0, until - from) / 1_000,
    older: isLast ? null : `?page=${number + 1}`,
  };
};

/** Divides a period into equal parts, none shorter than a second. */
const partsBetween = (from: number, until: number): { starts: number[]; end: number } => {
  const length = Math.max(SECOND_MS, (until - from) / BARS);
  return {
    starts: Array.from({ length: BARS }, (_, index) => Math.round(from + index * length)),
    end: Math.round(from + BARS * length),
  };
};
