import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { instantOf } from '../../../domain/time.ts';
import { cut } from '../naming.ts';
import type { Remarks } from '../remarks.ts';
import type { ImportedIncident } from '../imported.ts';
import type { Pages, PlacedPage } from './pages.ts';
import { isOn, key, parsed, rowsBy, text, type Row } from '../rows.ts';
import type { KumaData } from './data.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

const MAX_INCIDENT_NAME = 200;
const MAX_BODY = 25_000;

/** The impact of an incident by its style, which is a colour. */
const IMPACTS: Readonly<Record<string, string>> = { danger: 'major', warning: 'minor' };

/** Parses a time in UTC. Returns null if the text is no time. */
const utcTime = (value: string): string | null => {
  const time = dayjs.utc(value.trim());
  return value.trim() !== '' && time.isValid() ? instantOf(time.valueOf()) : null;
};

/**
 * Maps the incidents of status pages. Uptime Kuma stores one text for each, and no time at which an incident ended: an
 * incident that is no longer shown counts as resolved at its last change.
 */
export const incidentsOf = ({ incidents }: KumaData, pages: Pages, now: string): ImportedIncident[] =>
  incidents.flatMap((row): ImportedIncident[] => {
    const page = pages.byId.get(key(row, 'status_page_id'))?.name;
    if (page === undefined) return [];
    const name = cut(text(row, 'title').trim() || 'Incident', MAX_INCIDENT_NAME);
    const created = utcTime(text(row, 'created_date')) ?? now;
    const changed = utcTime(text(row, 'last_updated_date')) ?? created;
    const body = cut(text(row, 'content').trim() || name, MAX_BODY);
    const isShown = isOn(row, 'pin', true) && isOn(row, 'active', true);
    const source_row = `uptime-kuma:incident-${key(row, 'id')}`;
    const first = { status: 'investigating', body, created_at: created, components: [] };
    const end = changed < created ? created : changed;
    return [
      {
        page,
        // Rows of other installations can have the same number and the same title.
        source_id: `${source_row}:${text(row, 'created_date')}`,
        source_row,
        kind: 'incident',
        name,
        impact: IMPACTS[text(row, 'style')] ?? 'none',
        updates: isShown
          ? [first]
          : [first, { status: 'resolved', body: 'Resolved.', created_at: end, components: [] }],
      },
    ];
  });

/** Maps single maintenances that have not ended to maintenances of the pages that show them. */
export const maintenancesOf = (data: KumaData, pages: Pages, remarks: Remarks, now: string): ImportedIncident[] => {
  const pagesBy = rowsBy(data.maintenancePages, 'maintenance_id');
  const monitorsBy = rowsBy(data.maintenanceMonitors, 'maintenance_id');
  return data.maintenances.flatMap((row) => {
    const id = key(row, 'id');
    const window = windowOf(row, data.settings, remarks, now);
    if (window === null) return [];
    const shownOn = (pagesBy.get(id) ?? []).map((link) => pages.byId.get(key(link, 'status_page_id')));
    const monitors = new Set((monitorsBy.get(id) ?? []).map((link) => key(link, 'monitor_id')));
    const maintenances = shownOn.flatMap((page) => (page ? [maintenanceOf(row, { page, monitors, window })] : []));
    if (maintenances.length === 0) {
      remarks.about(
        titleOf(row),
        'is a maintenance that no status page shows. Mute its checks for that time, or plan the maintenance on a page.',
      );
    }
    return maintenances;
  });
};

const titleOf = (row: Row): string => cut(text(row, 'title').trim() || 'Maintenance', MAX_INCIDENT_NAME);

interface Window {
  from: string;
  until: string;
}

/** Returns the time of a maintenance that has not ended, or null, with a remark if Uptrail lacks its kind. */
const windowOf = (row: Row, settings: readonly Row[], remarks: Remarks, now: string): Window | null => {
  const name = titleOf(row);
  if (!isOn(row, 'active', true)) return null;
  const strategy = text(row, 'strategy');
  if (strategy === 'manual') {
    remarks.about(name, 'is a maintenance without times. Begin a maintenance on the status page, or mute the checks.');
    return null;
  }
  if (strategy !== 'single') {
    remarks.about(
      name,
      'is a maintenance that recurs. Plan each of its times on the status page; the API can do so from a job.',
    );
    return null;
  }
  const zone = zoneOf(row, settings, name, remarks);
  const from = zonedTime(text(row, 'start_date'), zone);
  const until = zonedTime(text(row, 'end_date'), zone);
  if (from === null || until === null || until <= from) {
    remarks.about(name, 'is a maintenance without a valid beginning and end. Plan it on the status page.');
    return null;
  }
  return until > now ? { from, until } : null;
};

/** Versions before 1.21.2 store the times in UTC, and no time zone. */
const zoneOf = (row: Row, settings: readonly Row[], name: string, remarks: Remarks): string => {
  if (!('timezone' in row)) return 'UTC';
  const own = text(row, 'timezone');
  const setting = settings.find((one) => text(one, 'key') === 'serverTimezone');
  const server = setting ? text({ value: parsed(text(setting, 'value')) }, 'value') || text(setting, 'value') : '';
  const zone = own === '' || own === 'SAME_AS_SERVER' ? server : own;
  if (zone !== '' && isZone(zone)) return zone;
  remarks.about(
    name,
    'is in the time zone of the server of Uptime Kuma, which is not known. Its times were read as UTC.',
  );
  return 'UTC';
};

const isZone = (zone: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
};

const zonedTime = (value: string, zone: string): string | null => {
  const local = value.trim().replace(' ', 'T');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(local)) return null;
  const time = /(?:Z|[+-]\d\d:?\d\d)$/.test(local) ? dayjs(local) : dayjs.tz(local, zone);
  return time.isValid() ? instantOf(time.valueOf()) : null;
};

interface MaintenanceParts {
  page: PlacedPage;
  monitors: ReadonlySet<string>;
  window: Window;
}

const maintenanceOf = (row: Row, { page, monitors, window }: MaintenanceParts): ImportedIncident => {
  const name = titleOf(row);
  const source_row = `uptime-kuma:maintenance-${key(row, 'id')}`;
  const components = page.components
    .filter(({ monitor }) => monitors.has(monitor))
    .map(({ name: component, group }) => ({
      component: group === null ? component : { group, name: component },
      status: 'under_maintenance',
    }));
  return {
    page: page.name,
    source_id: `${source_row}:${page.slug}:${name}`,
    source_row,
    kind: 'maintenance',
    name,
    impact: 'maintenance',
    schedule: {
      scheduled_for: window.from,
      scheduled_until: window.until,
      scheduled_auto_in_progress: true,
      scheduled_auto_completed: true,
      auto_transition_to_maintenance_state: true,
      auto_transition_to_operational_state: true,
    },
    updates: [
      {
        status: 'scheduled',
        body: cut(text(row, 'description').trim() || name, MAX_BODY),
        // Uptime Kuma stores no other time of a maintenance.
        created_at: window.from,
        components,
      },
    ],
  };
};
