import { randomUUID } from 'node:crypto';
import type { IncidentEvent } from '../../domain/incident/events.ts';
import type { IncidentTemplateEvent } from '../../domain/incident-template/events.ts';
import { definitionOf } from '../../domain/event-types.ts';
import type { NewEvent } from '../../domain/event.ts';
import { derivedId } from '../../domain/identity.ts';
import { DAY_MS, HOUR_MS, instantOf } from '../../domain/time.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Program } from './program.ts';

/** A page with components. */
export interface FilledPage {
  /** `/v1/pages/{page_id}` */
  path: string;
  pageId: string;
  organizationId: string;
  /** ids of the components */
  components: string[];
}

export interface Incidents {
  incidents: number;
  /** number of past days over which the incidents are spread */
  days: number;
}

const APPENDS_TOGETHER = 100;

/** Creates a page with components. */
export const createPage = async (program: Program, componentCount: number): Promise<FilledPage> => {
  const page = (await requestJson(program, '/v1/pages', { name: 'Uptime' })) as { id: string; organization_id: string };
  const path = `/v1/pages/${page.id}`;
  const components: string[] = [];
  for (let n = 0; n < componentCount; n++) {
    const component = { name: `Component ${n}`, start_date: '2015-01-01' };
    components.push(((await requestJson(program, `${path}/components`, component)) as { id: string }).id);
  }
  return { path, pageId: page.id, organizationId: page.organization_id, components };
};

/**
 * Appends incidents of a page to the log, and waits until the program shows them. Each event has the time of its
 * incident as the recording time.
 */
export const addIncidents = async (
  program: Program,
  log: EventStore,
  { path, pageId, organizationId, components }: FilledPage,
  { incidents, days }: Incidents,
): Promise<void> => {
  const now = Date.now();
  const appends: Promise<unknown>[] = [];
  let last = '';
  for (let n = 0; n < incidents; n++) {
    last = derivedId(`${pageId}/${n}`);
    // Spread evenly. Each incident affects one to three components for some hours. Every tenth incident leaves its
    // components degraded.
    const begins = now - days * DAY_MS + (n * days * DAY_MS) / incidents;
    const affected = Array.from(
      { length: 1 + (n % 3) },
      (_, k) => components[(n * 7 + k * 31) % components.length] ?? '',
    );
    const events = incident(pageId, last, affected, begins, (1 + (n % 6)) * HOUR_MS, n % 10 === 0);
    // Appends made together share a commit, and arrive in the order of these calls.
    appends.push(
      log.append(
        `incident-${last}`,
        events.map((event) => recorded(event, organizationId)),
        'no_stream',
      ),
    );
    if (appends.length >= APPENDS_TOGETHER) await Promise.all(appends.splice(0));
  }
  await Promise.all(appends);
  await untilFound(program, `${path}/incidents/${last}`);
};

/** An incident that is opened, improves and is resolved. */
const incident = (
  page_id: string,
  incident_id: string,
  components: string[],
  begins: number,
  length: number,
  leaves: boolean,
): IncidentEvent[] => {
  const update = (n: number, at: number, status: 'investigating' | 'monitoring' | 'resolved', component: string) => ({
    id: derivedId(`${incident_id}/${n}`),
    body: 'Some requests are slow; we are looking into it.',
    status,
    status_sent: true,
    components: Object.fromEntries(components.map((id) => [id, component as 'operational'])),
    deliver_notifications: true,
    created_at: instantOf(at),
  });
  const ids = { incident_id, page_id };
  const created_at = instantOf(begins);
  const fields = { name: 'Slow answers', impact: 'major' as const, metadata: null };
  const first = update(0, begins, 'investigating', 'major_outage');
  const better = update(1, begins + length / 2, 'monitoring', 'partial_outage');
  const resolved = update(2, begins + length, 'resolved', leaves ? 'degraded_performance' : 'operational');
  return [
    { type: 'IncidentOpened', data: { ...ids, created_at, incident: fields, update: first } },
    { type: 'IncidentUpdateAppended', data: { ...ids, update: better } },
    { type: 'IncidentUpdateAppended', data: { ...ids, update: resolved } },
  ];
};

/**
 * Returns an event as the log stores it. The recording time is that of the incident update in the event, or now if
 * there is none.
 */
export const recorded = (event: IncidentEvent | IncidentTemplateEvent, organization_id: string): NewEvent => {
  const id = randomUUID();
  return {
    id,
    type: event.type,
    data: event.data,
    metadata: {
      $correlationId: id,
      $causationId: id,
      command_id: id,
      actor: { kind: 'system', id: 'bench', role: null },
      organization_id,
      recorded_at: 'update' in event.data ? event.data.update.created_at : instantOf(Date.now()),
      schema_version: definitionOf(event.type)?.version ?? 1,
    },
  };
};

/** Sends a request with the administrator's key: a POST if there is a body, otherwise a GET. */
export const send = (program: Program, path: string, body?: object): Promise<Response> =>
  fetch(`${program.address}${path}`, {
    headers: { authorization: program.key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });

/** Sends a request and returns the JSON of the response. @throws Error for a status that is not 2xx */
export const requestJson = async (program: Program, path: string, body?: object): Promise<unknown> => {
  const response = await send(program, path, body);
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  return response.json();
};

/**
 * Waits until the program has folded events that another connection appended. The program notices such events within
 * 100 ms.
 *
 * @param shows tests the response; default: any successful response
 */
export const untilFound = async (
  program: Program,
  path: string,
  shows: (body: string) => boolean = () => true,
): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    // The server may have closed the idle connection that the client reuses.
    const response = await send(program, path).catch(() => null);
    const body = await response?.text();
    if (response?.ok && shows(body ?? '')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${path} was not found in time.`);
};
