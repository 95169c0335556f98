import { SELF_HOSTED, type Plans } from '../../domain/organization/plans.ts';
import { instantOf } from '../../domain/time.ts';
import type { Read } from '../../projections/readers.ts';
import type { Config } from '../../service/config/config.ts';
import { printable, table, type Output } from '../../service/output.ts';
import { openConfiguredReadModels } from '../read-models.ts';
import { watchOutput, type WatchOptions } from '../watch-output.ts';
import { findChecks, presenting, type PresentedCheck } from './present.ts';
import { sparkline } from './sparkline.ts';

export interface ChecksOptions extends WatchOptions {
  organization?: string | undefined;
  /** maximum number of checks; default: 50 in a table, unlimited as JSON */
  limit?: number | undefined;
  /** plans of organizations; default: no limits */
  plans?: Plans | undefined;
}

const TABLE_LIMIT = 50;
/** Number of terminal lines that show no check: the headings, the line "… more", and the line with the cursor. */
const OTHER_LINES = 3;

/** `uptrail checks`: lists checks and their state, from the read models. Works with or without a running service. */
export const runListChecks = async (config: Config, options: ChecksOptions, output: Output): Promise<void> => {
  const { read, close } = await openConfiguredReadModels(config);
  try {
    await listChecks(read, { ...options, plans: config.plans ?? SELF_HOSTED }, output);
  } finally {
    await close();
  }
};

export const listChecks = async (read: Read, options: ChecksOptions, output: Output): Promise<void> => {
  const lines = (): Promise<string[]> => (options.json ? objects(read, options) : rows(read, options, output));
  await watchOutput(lines, options, output);
};

const objects = async (read: Read, { organization, limit, plans = SELF_HOSTED }: ChecksOptions): Promise<string[]> => {
  const found = await findChecks(read, organization ?? null);
  const present = presenting(read, instantOf(Date.now()), plans);
  const lines: string[] = [];
  for (const check of found.slice(0, limit)) lines.push(JSON.stringify(await present(check)));
  return lines;
};

const rows = async (
  read: Read,
  { organization, limit, watch, plans = SELF_HOSTED }: ChecksOptions,
  output: Output,
): Promise<string[]> => {
  const found = await findChecks(read, organization ?? null);
  const size = output.terminal ? output.size?.() : undefined;
  const fitting = watch && size ? Math.max(1, size.rows - OTHER_LINES) : Infinity;
  const shown = found.slice(0, Math.min(limit ?? TABLE_LIMIT, fitting));
  const present = presenting(read, instantOf(Date.now()), plans);
  const cells: string[][] = [];
  for (const check of shown) cells.push(cellsOf(await present(check), output.terminal));
  const headings = ['ID', 'NAME', 'TYPE', 'STATUS', 'LAST CHECKED (UTC)'];
  const lines = table([...headings, ...(output.terminal ? ['RESPONSE TIMES'] : []), 'LAST RESULT'], cells);
  const left = found.length - shown.length;
  return [...lines, ...(left > 0 ? [`… and ${left} more`] : [])].map((line) =>
    size ? Array.from(line).slice(0, size.columns).join('') : line,
  );
};

const cellsOf = (check: PresentedCheck, terminal: boolean): string[] => [
  check.id,
  printable(check.name),
  check.type,
  statusOf(check),
  check.last_checked_at?.slice(0, 19) ?? 'never',
  ...(terminal ? [sparkline(check.response_times)] : []),
  resultOf(check),
];

const statusOf = ({ status, active, suspended_reason: reason }: PresentedCheck): string => {
  if (!active) return `${status}, inactive`;
  return reason === null ? status : `${status}, suspended: ${reason}`;
};

const resultOf = ({ last_result: result }: PresentedCheck): string => {
  if (!result) return '';
  const { status, response_time: time, error_message: message } = result;
  const took = time === null ? status : `${status} in ${time} ms`;
  return message === null ? took : `${took}: ${printable(message)}`;
};
