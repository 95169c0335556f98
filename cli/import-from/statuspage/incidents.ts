import { isFields, type Fields } from '../../../domain/fields.ts';
import { MAX_BODY, MAX_INCIDENT_NAME, MAX_UPDATES } from '../../../domain/incident/rules.ts';
import { isReminderIntervals } from '../../../domain/incident/reminders.ts';
import {
  INCIDENT_IMPACTS,
  isResolved,
  MAINTENANCE_STATUSES,
  statusesOf,
  type IncidentImpact,
  type IncidentStatus,
} from '../../../domain/incident/statuses.ts';
import { COMPONENT_STATUSES, type ComponentStatus } from '../../../domain/page/component-status.ts';
import { HOUR_MS, later, type Instant } from '../../../domain/time.ts';
import type { Reference } from '../../configuration/model.ts';
import type { ImportedIncident, ImportedUpdate } from '../imported.ts';
import { MAINTENANCE_SWITCHES, SOURCE_FIELD } from '../history/incident-bodies.ts';
import type { PageParts } from './components.ts';
import type { Remarks } from '../remarks.ts';
import { booleanOf, cut, instantOf, objectsOf, oneOf, textOf } from './values.ts';

/** Texts of updates that Statuspage stores without one. */
const TEXTS: Readonly<Record<IncidentStatus, string>> = {
  investigating: 'Investigating.',
  identified: 'Identified.',
  monitoring: 'Monitoring.',
  resolved: 'Resolved.',
  scheduled: 'Scheduled.',
  in_progress: 'In progress.',
  verifying: 'Verifying.',
  completed: 'Completed.',
};

type Update = ImportedUpdate & { status: IncidentStatus };

/** Maps an incident or a maintenance; null if it has no time. */
export const incidentOf = (
  incident: Fields,
  page: string,
  parts: PageParts,
  remarks: Remarks,
): ImportedIncident | null => {
  const name = textOf(incident['name']) ?? 'Incident';
  const start = instantOf(incident['scheduled_for']);
  const ended = oneOf(MAINTENANCE_STATUSES, incident['status']);
  const kind = start !== null || ended !== null ? 'maintenance' : 'incident';
  const created = instantOf(incident['created_at']) ?? instantOf(incident['started_at']) ?? start;
  const updates = updatesOf(incident, kind, created, parts, remarks);
  const [first] = updates;
  if (!first) {
    remarks.add('The incident was left out: it has no time.', name);
    return null;
  }
  const impact =
    oneOf(INCIDENT_IMPACTS, incident['impact_override']) ?? oneOf(INCIDENT_IMPACTS, incident['impact']) ?? 'none';
  const postmortem = kind === 'incident' ? postmortemOf(incident) : null;
  return {
    page,
    source_id: sourceOf(incident) ?? `statuspage:${textOf(incident['id']) ?? `${name} ${first.created_at}`}`,
    kind,
    name: cut(name, MAX_INCIDENT_NAME),
    impact,
    ...(kind === 'maintenance' && { schedule: scheduleOf(incident, start ?? first.created_at) }),
    ...(isFields(incident['metadata']) &&
      Object.keys(incident['metadata']).length > 0 && { metadata: incident['metadata'] }),
    ...(postmortem !== null && { postmortem }),
    updates: withComponents(updates, incident, impact, kind, parts, remarks),
  };
};

/** Returns what identified an incident in an earlier import, which an export of Uptrail contains. */
const sourceOf = ({ metadata }: Fields): string | null => (isFields(metadata) ? textOf(metadata[SOURCE_FIELD]) : null);

const scheduleOf = (incident: Fields, start: Instant): Fields => {
  const until = instantOf(incident['scheduled_until']);
  const reminders = textOf(incident['reminder_intervals']);
  return {
    scheduled_for: start,
    scheduled_until: until !== null && until > start ? until : later(start, HOUR_MS),
    ...Object.fromEntries(MAINTENANCE_SWITCHES.map((one) => [one, booleanOf(incident[one]) ?? false])),
    reminder_intervals: reminders !== null && isReminderIntervals(reminders) ? reminders : null,
  };
};

const postmortemOf = (incident: Fields): string | null => {
  const published = objectsOf(incident['incident_updates']).find(({ status }) => status === 'postmortem');
  const hidden = incident['postmortem_ignored'] === true || incident['postmortem_published_at'] === null;
  return textOf(published?.['body']) ?? (hidden ? null : textOf(incident['postmortem_body']));
};

/** Returns the updates, oldest first. The first one of a maintenance is `scheduled`, and the last one of an incident that is over ends it. */
const updatesOf = (
  incident: Fields,
  kind: 'incident' | 'maintenance',
  created: Instant | null,
  parts: PageParts,
  remarks: Remarks,
): Update[] => {
  const statuses = statusesOf(kind === 'maintenance' ? 'maintenance' : 'regular');
  const name = textOf(incident['name']) ?? 'Incident';
  const updates = objectsOf(incident['incident_updates'])
    .flatMap((update): Update[] => {
      const at = instantOf(update['display_at']) ?? instantOf(update['created_at']) ?? created;
      const status = oneOf(statuses, update['status']);
      if (at === null || status === null) return [];
      const body = textOf(update['body']) ?? TEXTS[status];
      if (body.length > MAX_BODY) remarks.add(`Updates were cut to ${MAX_BODY} characters.`, name);
      return [
        { status, body: cut(body, MAX_BODY), created_at: at, components: affectedBy(update, name, parts, remarks) },
      ];
    })
    .reverse()
    .sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0));
  const over: IncidentStatus = kind === 'maintenance' ? 'completed' : 'resolved';
  const opening: IncidentStatus = kind === 'maintenance' ? 'scheduled' : 'investigating';
  const isOver = [over, 'postmortem', 'resolved', 'completed'].includes(String(incident['status']));
  const [first] = updates;
  const begin = first && created !== null && created < first.created_at ? created : (first?.created_at ?? created);
  if (begin !== null && (!first || (kind === 'maintenance' && first.status !== 'scheduled'))) {
    updates.unshift({ status: opening, body: TEXTS[opening], created_at: begin, components: [] });
  }
  const last = updates.at(-1);
  if (last && isOver && !isResolved(last.status)) {
    const end = instantOf(incident['resolved_at']) ?? instantOf(incident['updated_at']) ?? last.created_at;
    const created_at = end < last.created_at ? last.created_at : end;
    updates.push({ status: over, body: TEXTS[over], created_at, components: [] });
  }
  if (updates.length <= MAX_UPDATES) return updates;
  remarks.add(`Only the first and the newest of more than ${MAX_UPDATES} updates are imported.`, name);
  return [...updates.slice(0, 1), ...updates.slice(1 - MAX_UPDATES)];
};

type Affected = ImportedUpdate['components'][number];

/** Returns the components that an update affected. An update of a group affects its components. */
const affectedBy = (update: Fields, incident: string, parts: PageParts, remarks: Remarks): Affected[] => {
  const found = new Map<string, Affected>();
  for (const { code, name, new_status } of objectsOf(update['affected_components'])) {
    const status = oneOf(COMPONENT_STATUSES, new_status);
    if (status === null) continue;
    for (const component of componentsNamed({ id: code, name }, incident, parts, remarks)) {
      found.set(JSON.stringify(component), { component, status });
    }
  }
  return [...found.values()];
};

/** Returns the components that an incident names by id or name. Remarks if the files do not contain them. */
const componentsNamed = (
  { id, name }: Fields,
  incident: string,
  { references, named }: PageParts,
  remarks: Remarks,
): readonly Reference[] => {
  const components = references.get(textOf(id) ?? '') ?? named.get(textOf(name) ?? '');
  if (components === undefined) {
    remarks.add(
      'Components that are not in the files were left out. Import all pages of /components, unless Statuspage has deleted the components.',
      incident,
    );
  }
  return components ?? [];
};

const STATUS_OF_IMPACT: Readonly<Record<IncidentImpact, ComponentStatus>> = {
  none: 'operational',
  maintenance: 'under_maintenance',
  minor: 'degraded_performance',
  major: 'partial_outage',
  critical: 'major_outage',
};

/**
 * Adds the components of an incident whose updates name none, as in exports of old incidents: the first update sets the
 * status that corresponds to the impact, and the end sets them back.
 */
const withComponents = (
  updates: readonly Update[],
  incident: Fields,
  impact: IncidentImpact,
  kind: 'incident' | 'maintenance',
  parts: PageParts,
  remarks: Remarks,
): Update[] => {
  if (updates.some(({ components }) => components.length > 0)) return [...updates];
  const name = textOf(incident['name']) ?? 'Incident';
  const listed = objectsOf(incident['components']).flatMap((one) => componentsNamed(one, name, parts, remarks));
  if (listed.length === 0) return [...updates];
  if (kind === 'incident') {
    remarks.add(
      'Statuspage did not say how the incident affected its components: they get the status that corresponds to its impact.',
      name,
    );
  }
  const affected = kind === 'maintenance' ? 'under_maintenance' : STATUS_OF_IMPACT[impact];
  const setting = (status: ComponentStatus): Affected[] => listed.map((component) => ({ component, status }));
  return updates.map((update, index) => {
    if (index === 0) return { ...update, components: setting(affected) };
    return index === updates.length - 1 && isResolved(update.status)
      ? { ...update, components: setting('operational') }
      : update;
  });
};
