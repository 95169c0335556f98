import { Cron } from 'croner';

/** Number of due times that are compared to find the shortest interval. */
const TIMES = 60;

/**
 * Returns a schedule in the former syntax, which allowed `L`, `W`, `#`, `+` and `?` in addition to the syntax of cron.
 * Some stored heartbeats still have such schedules.
 */
export const legacySchedule = (source: string) => {
  const cron = (timezone: string): Cron => new Cron(source, { mode: '5-part', timezone });
  let shortest: number | null = null;
  return {
    next: (timeZone: string, after: number): number => cron(timeZone).nextRun(new Date(after))?.getTime() ?? after,
    shortestInterval: (): number => (shortest ??= shortestOf(cron('UTC').nextRuns(TIMES, new Date(0)))),
  };
};

const shortestOf = (times: readonly Date[]): number =>
  Math.min(...times.slice(1).map((time, index) => time.getTime() - (times[index]?.getTime() ?? 0))) / 1_000;
