/** Largest lengths of an incident's texts, in characters (decisions.md: Incidents). */
export const MAX_INCIDENT_NAME = 200;
export const MAX_BODY = 25_000;
export const MAX_REMINDER_INTERVALS = 10_000;

/**
 * How many components an incident can name, all its updates taken together, and how many updates it
 * can have: what one event changes must stay within a batch of documents (design.md: Projections).
 */
export const MAX_COMPONENTS = 300;
export const MAX_UPDATES = 500;

const REMINDER_INTERVALS = /^\d+[dhm](,\s*\d+[dhm])*$/;

/** Whether a text is a list of reminder offsets such as `1d, 2h, 30m`. */
export const isReminderIntervals = (text: string): boolean => REMINDER_INTERVALS.test(text);
