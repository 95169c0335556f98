import { parseCron, type CronExpression } from '../../../../domain/cron/expression.ts';
import type { Times } from '../../heartbeats/times.ts';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../../../domain/time.ts';

/** Periods that cron expressions can represent, longest first. */
const BY_PERIOD: readonly (readonly [seconds: number, expression: string])[] = [
  [7 * DAY_SECONDS, '0 3 * * 0'],
  [DAY_SECONDS, '0 3 * * *'],
  ...[12, 8, 6, 4, 3, 2].map((hours) => [hours * HOUR_SECONDS, `0 */${hours} * * *`] as const),
  [HOUR_SECONDS, '0 * * * *'],
  ...[30, 20, 15, 12, 10, 6, 5, 4, 3, 2].map((minutes) => [minutes * MINUTE_SECONDS, `*/${minutes} * * * *`] as const),
  [MINUTE_SECONDS, '* * * * *'],
];

/**
 * Returns the cron expression of a heartbeat. If the heartbeat has a period that cron cannot represent, returns the
 * expression for the next shorter period that cron can represent.
 */
export const cronOf = ({ schedule, period_seconds }: Times): string =>
  schedule ?? BY_PERIOD.find(([seconds]) => seconds <= period_seconds)?.[1] ?? '* * * * *';

const ascending = (values: Iterable<number>): number[] => [...values].sort((one, other) => one - other);

/** Converts a cron expression for Kubernetes, which accepts Sunday only as 0 and not as 7. */
export const kubernetesSchedule = (source: string): string => {
  const fields = source.trim().split(/\s+/);
  const weekday = fields[4] ?? '';
  const parsed = parseCron(source);
  if ('problem' in parsed || fields.length !== 5 || !/7|sun/i.test(weekday)) return source;
  const days = ascending(parsed.expression.weekdays).join(',');
  return [...fields.slice(0, 4), weekday.startsWith('*') ? weekday : days].join(' ');
};

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const part = (values: Iterable<number>, all: number, digits: number): string => {
  const listed = ascending(values);
  return listed.length === all ? '*' : listed.map((value) => value.toString().padStart(digits, '0')).join(',');
};

/**
 * Converts a cron expression to `OnCalendar=` values of systemd (systemd.time(7)). Returns two values if the expression
 * has two day fields of which only one must match, because systemd would require both.
 */
const calendarEvents = (expression: CronExpression): string[] => {
  const { minutes, hours, days, months, weekdays, needsBothDays } = expression;
  const time = `${part(hours, 24, 2)}:${part(minutes, 60, 2)}:00`;
  const on = (dates: ReadonlySet<number>, names: ReadonlySet<number>): string => {
    const named =
      names.size === 7
        ? ''
        : `${ascending(names)
            .map((day) => WEEKDAYS[day] ?? '')
            .join(',')} `;
    return `${named}*-${part(months, 12, 2)}-${part(dates, 31, 2)} ${time}`;
  };
  if (needsBothDays) return [on(days, weekdays)];
  return [
    on(days, new Set([0, 1, 2, 3, 4, 5, 6])),
    on(new Set(Array.from({ length: 31 }, (_, day) => day + 1)), weekdays),
  ];
};

/** Returns the settings of a systemd timer that starts a job at the times that a heartbeat expects. */
export const timerSettings = (times: Times): string[] => {
  const { schedule, time_zone, period_seconds } = times;
  const parsed = schedule === null ? null : parseCron(schedule);
  if (parsed === null || 'problem' in parsed)
    return ['OnActiveSec=0', `OnUnitActiveSec=${period_seconds}s`, 'AccuracySec=1s'];
  const events = calendarEvents(parsed.expression).map((event) => `OnCalendar=${event} ${time_zone}`);
  return [...events, 'AccuracySec=1s', 'Persistent=true'];
};
