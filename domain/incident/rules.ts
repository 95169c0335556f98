/** Maximum lengths of an incident's texts, in characters (decisions.md: Incidents). */
export const MAX_INCIDENT_NAME = 200;
export const MAX_BODY = 25_000;
/** Maximum size of `metadata`, in bytes as JSON. */
export const MAX_METADATA_BYTES = 16_384;
export const MAX_REMINDER_INTERVALS = 10_000;

/**
 * How many components an incident can name in all its updates together, and how many updates it
 * can have: what one event changes must fit into a batch of documents (design.md: Projections).
 */
export const MAX_COMPONENTS = 300;
export const MAX_UPDATES = 500;

/** How many reminders a maintenance can have, and how long before its start the first one can be. */
export const MAX_REMINDERS = 20;
export const LONGEST_REMINDER_DAYS = 365;

const REMINDER_INTERVALS = /^\d+[dhm](,\s*\d+[dhm])*$/;

/** How many of a unit are a day. */
const A_DAY: Readonly<Record<string, number>> = { d: 1, h: 24, m: 1_440 };

/** Whether a text is a list of reminder offsets such as `1d, 2h, 30m`, not too many and none too long. */
export const isReminderIntervals = (text: string): boolean => {
  if (!REMINDER_INTERVALS.test(text)) return false;
  const offsets = text.split(/,\s*/);
  const inReach = (offset: string): boolean =>
    Number.parseInt(offset, 10) <= LONGEST_REMINDER_DAYS * (A_DAY[offset.slice(-1)] ?? 0);
  return offsets.length <= MAX_REMINDERS && offsets.every(inReach);
};
