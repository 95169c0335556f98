import { timeSlices, type Pause } from '../../domain/concurrency/time-slices.ts';
import { instantOf } from '../../domain/time.ts';
import type { DescribeChecks } from '../../http/metrics-response.ts';
import type { Read } from '../../projections/readers.ts';
import { readCheckReadings, type CheckReading, type CheckReadings } from '../../queries/checks/check-readings.ts';

export interface CheckSeriesOptions {
  read: Read;
  /** METRICS_CHECKS: maximum number of checks */
  limit: number;
  /** returns milliseconds since 1970 */
  clock: () => number;
  /** time limit of a scrape in milliseconds; default: {@link TIMEOUT_MS} */
  timeout?: number;
}

/** A metric of checks. */
interface CheckMetric {
  name: string;
  help: string;
  /** returns the value for a check; null if the check has no series of this metric */
  valueOf: (reading: CheckReading, now: number) => number | null;
}

const DAY_MS = 86_400_000;

const METRICS: readonly CheckMetric[] = [
  {
    name: 'uptrail_check_up',
    help: '1 if the check is up, 0 if it is down; no series for a check that does not run',
    valueOf: ({ up }) => (up ? 1 : 0),
  },
  {
    name: 'uptrail_check_response_seconds',
    help: 'Response time of the newest run; no series if the run has none',
    valueOf: ({ response_time }) => (response_time === null ? null : response_time / 1_000),
  },
  {
    name: 'uptrail_check_certificate_days',
    help: 'Days until the first certificate in the newest run expires, negative after that; no series if the run saw none',
    valueOf: ({ certificate_expires_at: at }, now) =>
      at === null ? null : Math.round(((at - now) / DAY_MS) * 1_000) / 1_000,
  },
];

const DROPPED = {
  name: 'uptrail_check_series_dropped',
  help: 'Active checks without series because there are more checks than METRICS_CHECKS',
};

/** Names of the metrics of checks. */
export const CHECK_METRICS: readonly string[] = [...METRICS, DROPPED].map(({ name }) => name);

/**
 * Time limit of a scrape in milliseconds. It is below the usual limit of Prometheus (10 s), so that the other metrics
 * are still exposed.
 */
const TIMEOUT_MS = 5_000;

/** Number of checks after which the work can pause. */
const CHECKS_PER_STEP = 100;

/**
 * Creates the function that describes checks in `/metrics`. The checks are read only at a scrape. Simultaneous scrapes
 * of the same reader share one read. If the checks can't be read in time, the result is empty.
 */
export const createCheckSeries = ({ read, limit, clock, timeout = TIMEOUT_MS }: CheckSeriesOptions): DescribeChecks => {
  const reading = new Map<string | null, Promise<string>>();
  const describe = async (organizationId: string | null): Promise<string> => {
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort();
    }, timeout);
    const now = clock();
    const pause = timeSlices(late.signal);
    const isLate = new Promise<null>((resolve) => {
      late.signal.addEventListener('abort', () => {
        resolve(null);
      });
    });
    const written = readCheckReadings({ read, now: instantOf(now) }, { organizationId, limit, pause }).then((found) =>
      writeSeries(found, now, pause),
    );
    try {
      return (await Promise.race([written, isLate])) ?? '';
    } catch {
      // A read model can't be read. `/health/ready` and other metrics report that.
      return '';
    } finally {
      clearTimeout(timer);
    }
  };
  return (organizationId) => {
    const known = reading.get(organizationId);
    if (known) return known;
    const described = describe(organizationId).finally(() => reading.delete(organizationId));
    reading.set(organizationId, described);
    return described;
  };
};

const writeSeries = async ({ readings, omitted }: CheckReadings, now: number, pause: Pause): Promise<string> => {
  const metrics = METRICS.map((metric) => ({ ...metric, lines: [headOf(metric)] }));
  for (const [index, reading] of readings.entries()) {
    const labels = labelsOf(reading);
    for (const { name, valueOf, lines } of metrics) {
      const value = valueOf(reading, now);
      if (value !== null) lines.push(`${name}{${labels}} ${value}\n`);
    }
    if (index % CHECKS_PER_STEP === 0) await pause();
  }
  const dropped = [headOf(DROPPED), `${DROPPED.name} ${omitted}\n`];
  return [...metrics.flatMap(({ lines }) => lines), ...dropped].join('');
};

const headOf = ({ name, help }: { name: string; help: string }): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;

const labelsOf = ({ id, name, type, group, organization }: CheckReading): string =>
  Object.entries({ check: id, name, type, group, organization })
    .map(([label, value]) => `${label}="${labelValue(value)}"`)
    .join(',');

/** Maximum length of a label value in characters. Names of checks are shorter (docs/reference/checks.md). */
const LONGEST_VALUE = 200;

/** Escapes a label value as the text format of Prometheus requires, and shortens it to {@link LONGEST_VALUE}. */
const labelValue = (text: string): string =>
  (text.length <= LONGEST_VALUE ? text : Array.from(text).slice(0, LONGEST_VALUE).join('')).replace(
    /[\\"\n]/g,
    (character) => (character === '\n' ? '\\n' : `\\${character}`),
  );
