import { backdatingErrors } from '../../../domain/incident/backdating.ts';
import type { ComponentMap } from '../../../domain/incident/fields.ts';
import { changeErrors, type IncidentContext } from '../../../domain/incident/decide.ts';
import type { ComponentLookup } from '../../../domain/incident/affected-components.ts';
import { newIncidentErrors } from '../../../domain/incident/open.ts';
import { pastIncidentErrors } from '../../../domain/incident/past.ts';
import { SCHEDULE_DEFAULTS } from '../../../domain/incident/schedule.ts';
import { ALL_STATUSES } from '../../../domain/incident/statuses.ts';
import { editErrors } from '../../../domain/incident/updates.ts';
import { INSTANT_PATTERN, type Instant } from '../../../domain/time.ts';
import { isDeepStrictEqual } from 'node:util';
import type { IncidentDocument, IncidentUpdateView } from '../../../projections/incidents/documents.ts';
import { isFields, type Fields } from '../../../domain/fields.ts';
import type { FieldMessages } from '../../../http/validation-messages.ts';

// One response names all errors of a request (docs/reference/requests.md#validation). If the schema refuses some
// fields, the functions of this file still check all other fields against the rules of the domain. They treat a field
// of a wrong type as absent, because the schema already reports this field.

/** Returns the component map of a body. Its statuses might be invalid. */
const mapIn = ({ components: map }: Fields): { components?: ComponentMap } =>
  isFields(map) ? { components: map as ComponentMap } : {};

/** Returns the ids of the components in a body, including those in the updates of a past incident. */
export const componentIdsIn = (body: Fields): string[] => {
  const { incident_updates: updates } = body;
  const all: unknown[] = [body, ...(Array.isArray(updates) ? (updates as unknown[]) : [])];
  return all.flatMap((one) => (isFields(one) ? Object.keys(mapIn(one).components ?? {}) : []));
};

const statusIn = ({ status }: Fields) => {
  const known = ALL_STATUSES.find((one) => one === status);
  return known === undefined ? {} : { status: known };
};

const instant = new RegExp(INSTANT_PATTERN);
const instantIn = (value: unknown): Instant | undefined =>
  typeof value === 'string' && instant.test(value) ? value : undefined;

/** Texts that sort before and after all instants. They replace invalid times, so that no wrong order is reported. */
const EARLIEST = '';
const LATEST = '~';

const timeIn = (value: unknown, otherwise: Instant): Instant | null | undefined =>
  value === undefined || value === null ? value : (instantIn(value) ?? otherwise);

const scheduleIn = ({ scheduled_for, scheduled_until }: Fields) => {
  const [from, until] = [timeIn(scheduled_for, EARLIEST), timeIn(scheduled_until, LATEST)];
  return { ...(from !== undefined && { scheduled_for: from }), ...(until !== undefined && { scheduled_until: until }) };
};

const backdatingIn = ({ backdated_to, deliver_notifications, scheduled_remind_prior }: Fields) => {
  const at = instantIn(backdated_to);
  return {
    ...(at !== undefined && { backdated_to: at }),
    ...(typeof deliver_notifications === 'boolean' && { deliver_notifications }),
    ...(typeof scheduled_remind_prior === 'boolean' && { scheduled_remind_prior }),
  };
};

export const openingBodyErrors = (body: Fields, page: ComponentLookup, now: Instant): FieldMessages =>
  newIncidentErrors(page, { ...scheduleIn(body), ...statusIn(body), ...mapIn(body), ...backdatingIn(body) }, now);

const known = (incident: IncidentDocument): IncidentContext => ({
  kind: incident.kind,
  schedule:
    incident.scheduled_for === null || incident.scheduled_until === null
      ? null
      : {
          ...SCHEDULE_DEFAULTS,
          scheduled_for: incident.scheduled_for,
          scheduled_until: incident.scheduled_until,
        },
  named: incident.component_ids,
});

export const incidentChangeBodyErrors = (
  body: Fields,
  incident: IncidentDocument,
  page: ComponentLookup,
): FieldMessages => changeErrors(known(incident), page, { ...scheduleIn(body), ...statusIn(body), ...mapIn(body) });

export const updateBodyErrors = (
  body: Fields,
  incident: IncidentDocument,
  page: ComponentLookup,
  now: Instant,
): FieldMessages => ({
  ...changeErrors(known(incident), page, { ...statusIn(body), ...mapIn(body) }),
  ...backdatingErrors(backdatingIn(body), now),
});

/** Validates an edit of an update. Ignores values that the client has sent back unchanged. */
export const updateEditBodyErrors = (
  body: Fields,
  { update, named }: { update: IncidentUpdateView; named: readonly string[] },
  page: ComponentLookup,
  now: Instant,
): FieldMessages => {
  const { body: text, created_at } = body;
  const at = instantIn(created_at);
  const { components: map } = mapIn(body);
  const changes = {
    ...(typeof text === 'string' && text !== update.body && { body: text }),
    ...(at !== undefined && { created_at: at }),
    ...(map && !isDeepStrictEqual(map, update.components) && { components: map }),
  };
  return editErrors(named, page, changes, now);
};

export const pastIncidentBodyErrors = (body: Fields, page: ComponentLookup, now: Instant): FieldMessages => {
  const { incident_updates: updates } = body;
  if (!Array.isArray(updates)) return {};
  const read = updates.map((update: unknown) => {
    if (!isFields(update)) return {};
    const created_at = instantIn(update['created_at']);
    return { ...statusIn(update), ...mapIn(update), ...(created_at !== undefined && { created_at }) };
  });
  return pastIncidentErrors(page, read, now);
};
