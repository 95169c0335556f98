import { durationIn, flagIn, mappingIn, requiredTextIn, textIn } from '../mapping/fields.ts';
import type { Draft } from '../mapping/draft.ts';
import { bounded } from '../mapping/bounds.ts';
import { tagOf } from '../mapping/tags.ts';
import type { Mapping } from '../read-yaml.ts';
import { alertsOf } from './alerts.ts';
import type { Channels } from './channels.ts';
import { noteMaintenance } from './maintenance.ts';

const DAY = 86_400;
const MAX_PERIOD = 90 * DAY;
/** The shortest grace of a heartbeat in seconds. Gatus has none. */
const GRACE = 60;

/** Converts an external endpoint, which jobs report to, to a heartbeat. */
export const addExternalEndpoint = (section: Mapping, draft: Draft, channels: Channels): void => {
  const name = requiredTextIn(section, 'name').trim();
  const group = textIn(section, 'group')?.trim() ?? '';
  const label = group === '' ? name : `${group}/${name}`;
  const note = (rest: string): void => {
    draft.note(`The external endpoint "${label}" ${rest}`);
  };
  noteMaintenance(section, note);
  const interval = durationIn(mappingIn(section, 'heartbeat') ?? {}, 'interval');
  if (!interval)
    note('expects no reports at an interval; its heartbeat expects a ping each day. Change period_seconds if needed.');
  const period = bounded(interval || DAY, [60, MAX_PERIOD], (sentence) => {
    note(`has an interval of ${sentence}`);
  });
  const alerts = alertsOf(section, group, channels, draft.note, label).filter(({ enabled }) => enabled);
  if (alerts.some(({ failures, successes }) => failures > 1 || successes > 1))
    note('alerts after several failures; a heartbeat notifies of the first. grace_seconds tolerates late pings.');
  const tag = tagOf(group);
  const added = draft.addHeartbeat({
    name,
    period_seconds: Math.round(period),
    grace_seconds: GRACE,
    active: flagIn(section, 'enabled') ?? true,
    ...(tag !== null && { tags: [tag] }),
    ...(alerts.length > 0 && { channels: [...new Set(alerts.map(({ channel }) => channel))] }),
  });
  if (added !== null)
    draft.note(
      'External endpoints become heartbeats with new addresses: let the jobs call ping_url, and ping_url/fail on failure.',
    );
};
