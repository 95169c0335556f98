import { setTimeout as sleep } from 'node:timers/promises';
import { instantOf } from '../../domain/time.ts';
import type { Read } from '../../projections/readers.ts';
import type { Config } from '../../service/config/config.ts';
import { printable, table, type Output } from '../../service/output.ts';
import { openReadModelsHere } from '../read-models.ts';
import { findChecks, presenting, type PresentedCheck } from './present.ts';
import { sparkline } from './sparkline.ts';

export interface ChecksOptions {
  organization?: string | undefined;
  /** the most checks to show; when absent, all as JSON and 50 in a table */
  limit?: number | undefined;
  /** shows them again every two seconds, until the signal aborts */
  watch: boolean;
  json: boolean;
  signal: AbortSignal;
}

const TABLE_LIMIT = 50;
const PAUSE_MS = 2_000;
/** Lines of a terminal without a check: the headings, the number left out, and the cursor. */
const OTHER_LINES = 3;

/** `uptrail checks`: the state of checks, from the read models, whether or not a service keeps them up to date. */
export const listChecksHere = async (config: Config, options: ChecksOptions, output: Output): Promise<void> => {
  const { read, close } = await openReadModelsHere(config);
  try {
    await listChecks(read, options, output);
  } finally {
    await close();
  }
};

export const listChecks = async (read: Read, options: ChecksOptions, output: Output): Promise<void> => {
  const { watch, json, signal } = options;
  let rounds = 0;
  do {
    const lines = json ? await objects(read, options) : await rows(read, options, output);
    await draw(lines, { again: rounds++ > 0, inPlace: watch && output.terminal && !json }, output);
  } while (watch && (await pause(signal)));
};

/** @returns whether to go on */
const pause = async (signal: AbortSignal): Promise<boolean> => {
  await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
};

const CLEAR = '\u001b[H\u001b[2J';
const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';

/** On a terminal, writes over what was there, line by line so that nothing flickers. */
const draw = async (
  lines: readonly string[],
  { again, inPlace }: { again: boolean; inPlace: boolean },
  output: Output,
): Promise<void> => {
  if (!inPlace) {
    for (const line of lines) await output.line(line);
    return;
  }
  const [first = '', ...others] = lines;
  await output.line(`${again ? HOME : CLEAR}${first}${REST_OF_LINE}`);
  for (const line of others) await output.line(`${line}${REST_OF_LINE}`);
  await output.line(REST_OF_SCREEN);
};

const objects = async (read: Read, { organization, limit }: ChecksOptions): Promise<string[]> => {
  const found = await findChecks(read, organization ?? null);
  const present = presenting(read, instantOf(Date.now()));
  const lines: string[] = [];
  for (const check of found.slice(0, limit)) lines.push(JSON.stringify(await present(check)));
  return lines;
};

const rows = async (read: Read, { organization, limit, watch }: ChecksOptions, output: Output): Promise<string[]> => {
  const found = await findChecks(read, organization ?? null);
  const size = output.terminal ? output.size?.() : undefined;
  const fitting = watch && size ? Math.max(1, size.rows - OTHER_LINES) : Infinity;
  const shown = found.slice(0, Math.min(limit ?? TABLE_LIMIT, fitting));
  const present = presenting(read, instantOf(Date.now()));
  const cells: string[][] = [];
  for (const check of shown) cells.push(cellsOf(await present(check), output.terminal));
  const headings = ['ID', 'NAME', 'TYPE', 'STATUS', 'LAST CHECKED (UTC)'];
  const lines = table([...headings, ...(output.terminal ? ['RESPONSE TIMES'] : []), 'LAST RESULT'], cells);
  const left = found.length - shown.length;
  return [...lines, ...(left > 0 ? [`… and ${left.toString()} more`] : [])].map((line) =>
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
  const took = time === null ? status : `${status} in ${time.toString()} ms`;
  return message === null ? took : `${took}: ${printable(message)}`;
};
