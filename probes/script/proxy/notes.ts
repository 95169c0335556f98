/** A note from the proxy in the logs of a run. */
export interface ProxyNote {
  level: 'warn';
  message: string;
  /** ISO 8601 */
  timestamp: string;
}

/** Maximum number of different notes per run. */
const MOST = 100;
const LONGEST = 500;

/** Reports each note only one time, because a page repeats refused requests. */
export const createNotes = (onNote: (note: ProxyNote) => void, now: () => number): ((message: string) => void) => {
  const told = new Set<string>();
  const tell = (message: string): void => {
    onNote({ level: 'warn', message, timestamp: new Date(now()).toISOString() });
  };
  return (text) => {
    const message = text.replace(/[\p{C}\s]+/gu, ' ').slice(0, LONGEST);
    if (told.has(message) || told.size > MOST) return;
    told.add(message);
    tell(told.size > MOST ? 'More connections were refused or failed than are listed here.' : message);
  };
};
