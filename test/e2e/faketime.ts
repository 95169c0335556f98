import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';

const LIBRARIES = '/usr/lib';

/**
 * Returns the path of the library that shifts the clock of a program; null if the package `faketime` is not installed.
 */
const library = (): string | null =>
  readdirSync(LIBRARIES)
    .map((name) => join(LIBRARIES, name, 'faketime', 'libfaketime.so.1'))
    .find((path) => existsSync(path)) ?? null;

/** Returns whether clocks can't be shifted here. If so, prints a line that counts as a skip. */
export const skippedWithoutFaketime = (): boolean => {
  if (library() !== null) return false;
  console.log('skipped: faketime is not installed');
  const skipped = suite('tests with shifted clocks');
  skipped.skip('are skipped');
  skipped.run();
  return true;
};

/**
 * Returns the environment of a process whose wall clock is ahead by this many seconds. The monotonic clock is not
 * shifted.
 */
export const shiftedClock = (seconds: number): Record<string, string> => ({
  LD_PRELOAD: library() ?? '',
  FAKETIME: `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  // Earlier releases of faketime use this name.
  DONT_FAKE_MONOTONIC: '1',
});
