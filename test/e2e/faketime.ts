import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';

const LIBRARIES = '/usr/lib';

/** The library that shifts the time of a program, if the package `faketime` is installed. */
const library = (): string | null =>
  readdirSync(LIBRARIES)
    .map((name) => join(LIBRARIES, name, 'faketime', 'libfaketime.so.1'))
    .find((path) => existsSync(path)) ?? null;

/** Whether clocks can't be shifted here; then it prints a line that is counted as a skip. */
export const skippedWithoutFaketime = (): boolean => {
  if (library() !== null) return false;
  console.log('skipped: faketime is not installed');
  const skipped = suite('tests with shifted clocks');
  skipped.skip('are skipped');
  skipped.run();
  return true;
};

/**
 * The environment of a process on a machine whose wall clock is this many seconds ahead; the monotonic one is right.
 */
export const shiftedClock = (seconds: number): Record<string, string> => ({
  LD_PRELOAD: library() ?? '',
  FAKETIME: `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  // Its name in earlier releases.
  DONT_FAKE_MONOTONIC: '1',
});
