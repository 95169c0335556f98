import { setTimeout as sleep } from 'node:timers/promises';
import { escaped, type Output } from '../service/output.ts';

export interface WatchOptions {
  /** whether to refresh the output every two seconds, until `signal` is aborted */
  watch: boolean;
  json: boolean;
  signal: AbortSignal;
}

const PAUSE_MS = 2_000;

/** Prints lines, and refreshes them at intervals if `watch` is set. */
export const watchOutput = async (
  lines: () => Promise<readonly string[]>,
  { watch, json, signal }: WatchOptions,
  output: Output,
): Promise<void> => {
  let rounds = 0;
  do {
    await draw(await lines(), { again: rounds++ > 0, inPlace: watch && output.terminal && !json }, output);
  } while (watch && (await pause(signal)));
};

/** @returns whether to continue */
const pause = async (signal: AbortSignal): Promise<boolean> => {
  await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
};

const CLEAR = '\u001b[H\u001b[2J';
const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';

/** Prints the output. On a terminal, overwrites the previous output line by line, which avoids flicker. */
const draw = async (
  lines: readonly string[],
  { again, inPlace }: { again: boolean; inPlace: boolean },
  output: Output,
): Promise<void> => {
  const { controlling = output.line } = output;
  if (!inPlace) {
    for (const line of lines) await output.line(line);
    return;
  }
  const [first = '', ...others] = lines.map(escaped);
  await controlling(`${again ? HOME : CLEAR}${first}${REST_OF_LINE}`);
  for (const line of others) await controlling(`${line}${REST_OF_LINE}`);
  await controlling(REST_OF_SCREEN);
};
