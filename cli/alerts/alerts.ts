import { durationOf } from '../../domain/alert/decide.ts';
import { type Instant, instantOf, MINUTE_SECONDS } from '../../domain/time.ts';
import { durationText } from '../../messages/duration.ts';
import type { AlertDocument } from '../../projections/alerts/documents.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import type { Read } from '../../projections/readers.ts';
import type { Config } from '../../service/config/config.ts';
import { printable, table, type Output } from '../../service/output.ts';
import { openConfiguredReadModels } from '../read-models.ts';
import { watchOutput, type WatchOptions } from '../watch-output.ts';

export interface AlertsOptions extends WatchOptions {
  organization?: string | undefined;
  /** maximum number of alerts; default: 50 in a table, unlimited as JSON */
  limit?: number | undefined;
}

const TABLE_LIMIT = 50;
/** Number of terminal lines that show no alert: the headings, the line "… more", and the line with the cursor. */
const OTHER_LINES = 3;

/** `uptrail alerts`: lists the active alerts, newest first. Works with or without a running service. */
export const runListAlerts = async (config: Config, options: AlertsOptions, output: Output): Promise<void> => {
  const { read, close } = await openConfiguredReadModels(config);
  try {
    await listActiveAlerts(read, options, output);
  } finally {
    await close();
  }
};

export const listActiveAlerts = (read: Read, options: AlertsOptions, output: Output): Promise<void> =>
  watchOutput(() => (options.json ? objects(read, options) : rows(read, options, output)), options, output);

const filterOf = ({ organization }: AlertsOptions) => ({
  ...(organization !== undefined && { organization_id: organization }),
  is_active: true,
});

const found = (read: Read, options: AlertsOptions, limit: number | undefined): Promise<AlertDocument[]> =>
  read(alerts).alerts.find({
    where: filterOf(options),
    sort: { fired_at: -1 },
    ...(limit !== undefined && { limit }),
  });

const objects = async (read: Read, options: AlertsOptions): Promise<string[]> => {
  const now = instantOf(Date.now());
  return (await found(read, options, options.limit)).map((alert) => JSON.stringify(shownOf(alert, now)));
};

const shownOf = (alert: AlertDocument, now: Instant) => {
  const { id, organization_id, status, severity, title, description, rule_id, check_id, check_name } = alert;
  const { fired_at, acknowledged_at, acknowledged_by_id } = alert;
  const what = { id, organization_id, status, severity, title, description, rule_id, check_id, check_name };
  return { ...what, fired_at, acknowledged_at, acknowledged_by_id, duration: durationOf(fired_at, now) };
};

const HEADINGS = ['ID', 'SEVERITY', 'STATUS', 'SINCE (UTC)', 'FOR', 'ALERT'];

const rows = async (read: Read, options: AlertsOptions, output: Output): Promise<string[]> => {
  const { limit = TABLE_LIMIT, watch } = options;
  const size = output.terminal ? output.size?.() : undefined;
  const fitting = watch && size ? Math.max(1, size.rows - OTHER_LINES) : limit;
  const shown = await found(read, options, Math.min(limit, fitting));
  const left = (await read(alerts).alerts.count(filterOf(options))) - shown.length;
  const now = instantOf(Date.now());
  const lines = [
    ...table(
      HEADINGS,
      shown.map((alert) => cellsOf(alert, now)),
    ),
    ...(left > 0 ? [`… and ${left} more`] : []),
  ];
  return size ? lines.map((line) => Array.from(line).slice(0, size.columns).join('')) : lines;
};

const cellsOf = ({ id, severity, status, fired_at, title }: AlertDocument, now: Instant): string[] => [
  id,
  severity,
  status,
  fired_at.slice(0, 19),
  briefly(durationOf(fired_at, now)),
  printable(title),
];

/** Formats a duration with the two largest units at most: `3 d 4 h`, `4 h 12 min`, `12 min`, `40 s`. */
const briefly = (seconds: number): string =>
  durationText(seconds < MINUTE_SECONDS ? seconds : seconds - (seconds % MINUTE_SECONDS));
