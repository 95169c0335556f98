import type { ComponentStatus } from '../page/component-status.ts';
import type { Day, Instant } from '../time.ts';

/** Durations within a day or a month, in seconds. */
export interface StatementSeconds {
  /** measured time, which excludes maintenance, the time before the component existed, and the future */
  measured: number;
  major_outage: number;
  partial_outage: number;
  degraded_performance: number;
  /** time excluded because of maintenance */
  excluded: number;
}

/** A day on which a component was not operational all the time. */
export interface StatementDay extends StatementSeconds {
  day: Day;
  /** the worst status of the day */
  status: ComponentStatus;
  uptime_percentage: number;
}

export interface StatementComponent extends StatementSeconds {
  id: string;
  name: string;
  /** name of the component's group; null: none */
  group: string | null;
  /** number of days of the month on which the component existed, up to now */
  days: number;
  uptime_percentage: number;
  affected_days: StatementDay[];
}

/** The figures of a statement, without the fields that identify the underlying events. */
export interface StatementFigures {
  page: { id: string; name: string; time_zone: string };
  /** `2026-10` */
  month: string;
  /** start of the month in the time zone of the page */
  from: Instant;
  /** exclusive end of the month in the time zone of the page */
  to: Instant;
  /** false while the month is not over */
  complete: boolean;
  made_at: Instant;
  /** in the order of the page, without those that did not exist in the month */
  components: StatementComponent[];
}

/** The name of the format, with its version. */
export const STATEMENT_FORMAT = 'uptrail-statement-1';

/** One month's uptime of a page (docs/reference/statements.md). */
export interface Statement extends StatementFigures {
  format: typeof STATEMENT_FORMAT;
  log: {
    /** token of the newest of the page's events from which the figures were derived */
    position: string;
    /**
     * number of the page's events from which the figures were derived, and a hash over these events
     * (domain/log/head.ts)
     */
    head: string;
  };
}
