import { isTimeZone } from '../../../domain/time-zone.ts';
import { scheduleProblem } from '../../../domain/heartbeat/schedule.ts';
import type { Fields } from '../../configuration/model.ts';
import { bounded } from '../mapping/bounds.ts';
import { flagIn, integerIn, textIn } from '../mapping/fields.ts';
import type { Draft } from '../mapping/draft.ts';
import { limitedTags, tagOf } from '../mapping/tags.ts';
import type { Mapping } from '../read-yaml.ts';
import { cronOfCalendar } from './on-calendar.ts';
import type { Remarks } from './remarks.ts';

const DAY = 86_400;
const LIMITS = [60, 90 * DAY] as const;
const HOUR = 3_600;

/** Settings of a check that have no equivalent, each with the end of a sentence about all checks that have it. */
export const UNSUPPORTED: Readonly<Record<string, string>> = {
  desc: 'have a description, which heartbeats lack; put links into the name or a tag.',
  methods: 'accept only some methods; heartbeats accept GET, HEAD and POST.',
  subject: 'judge pings by keywords of e-mails; let the job call ping or ping/fail.',
  subject_fail: 'judge pings by keywords of e-mails; let the job call ping or ping/fail.',
  start_kw: 'judge pings by keywords; let the job call ping/start.',
  success_kw: 'judge pings by keywords; let the job call ping.',
  failure_kw: 'judge pings by keywords; let the job call ping/fail.',
  manual_resume:
    'ignore pings while they are paused until somebody resumes them; so do paused heartbeats, until they are activated.',
};

/** Adds the heartbeat for a check of Healthchecks. Returns its name; null if it is left out. */
export const addHeartbeat = (check: Mapping, draft: Draft, remarks: Remarks): string | null => {
  const name = (textIn(check, 'name') ?? '').trim() || (textIn(check, 'slug') ?? '').trim() || 'Unnamed check';
  const note = (rest: string): void => {
    draft.note(`The check "${name}" ${rest}`);
  };
  const times = timesOf(check, note);
  if (!times) return null;
  const { tags, excess } = limitedTags((textIn(check, 'tags') ?? '').split(/\s+/).map(tagOf));
  if (excess.length > 0) note(`has more than the 20 tags of a heartbeat; ${excess.length} are left out.`);
  const grace = Math.round(
    bounded(integerIn(check, 'grace') ?? HOUR, LIMITS, (sentence) => {
      note(`has a grace time of ${sentence}`);
    }),
  );
  const added = draft.addHeartbeat({
    name,
    ...times,
    grace_seconds: grace,
    // Healthchecks also limits the time from the start of a run to its end by the grace time.
    max_duration: grace,
    active: textIn(check, 'status') !== 'paused',
    tags,
  });
  if (added === null) return null;
  for (const key of Object.keys(UNSUPPORTED)) if (isSet(check, key)) remarks.add(key, added);
  return added;
};

const isSet = (check: Mapping, key: string): boolean => {
  const value = check[key];
  return key === 'manual_resume' ? flagIn(check, key) === true : typeof value === 'string' && value !== '';
};

/** Returns the fields of period or schedule; null if there is no equivalent. */
const timesOf = (check: Mapping, note: (rest: string) => void): Fields | null => {
  const schedule = textIn(check, 'schedule')?.trim();
  if (schedule === undefined || schedule === '') {
    const timeout = integerIn(check, 'timeout') ?? DAY;
    const period = bounded(timeout, LIMITS, (sentence) => {
      note(`has a period of ${sentence}`);
    });
    return { period_seconds: period };
  }
  const cron = scheduleProblem(schedule) === null ? { schedule, timeZone: null } : cronOfCalendar(schedule);
  if (!cron || scheduleProblem(cron.schedule) !== null) {
    note(
      `has the schedule "${schedule.replace(/\s*\n\s*/g, '; ')}", which is no cron expression of five fields, and is left out; create a heartbeat with a period.`,
    );
    return null;
  }
  return { schedule: cron.schedule, time_zone: zoneOf(cron.timeZone ?? textIn(check, 'tz') ?? 'UTC', note) };
};

const zoneOf = (zone: string, note: (rest: string) => void): string => {
  if (isTimeZone(zone)) return zone;
  note(`has the unknown time zone "${zone}"; UTC is used.`);
  return 'UTC';
};
