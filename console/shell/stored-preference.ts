import { signal, type Signal } from '@preact/signals';
import { CONSOLE_PATH } from '../urls.ts';

/**
 * Returns the signal of a preference. The value is null until the user chooses a value. The chosen value is stored in
 * this browser if storage is enabled, and must not be secret.
 */
export const storedPreference = <T extends string>(name: string, options: readonly T[]): Signal<T | null> => {
  const key = `uptrail ${CONSOLE_PATH} ${name}`;
  const chosen = signal<T | null>(options.find((option) => option === read(key)) ?? null);
  chosen.subscribe((value) => {
    write(key, value);
  });
  return chosen;
};

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const write = (key: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // If storage is disabled, the choice is lost when the page is closed or reloaded.
  }
};
