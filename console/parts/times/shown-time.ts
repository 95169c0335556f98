import { signal } from '@preact/signals';

/** The time of the past state that the screen shows, in milliseconds since 1970; null: it shows the present. */
export const pastTime = signal<number | null>(null);

/** Returns the time at which durations end, in milliseconds since 1970: now, or the time of the shown past state. */
export const shownTime = (): number => pastTime.value ?? Date.now();
