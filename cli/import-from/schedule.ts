import type { Remarks } from './remarks.ts';

const SHORTEST_INTERVAL = 30;
const LONGEST_INTERVAL = 86_400;
const SHORTEST_TIMEOUT = 1;
const LONGEST_TIMEOUT = 30;
const MOST_CONFIRMATIONS = 10;

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Returns the interval of a check in seconds, as near as Uptrail allows, and remarks if it differs. */
export const intervalOf = (name: string, seconds: number, remarks: Remarks): number => {
  const interval = within(Math.round(seconds), SHORTEST_INTERVAL, LONGEST_INTERVAL);
  if (seconds < SHORTEST_INTERVAL) {
    remarks.about(name, `runs every ${interval} s, which is the shortest interval, instead of every ${seconds} s.`);
  } else if (seconds > LONGEST_INTERVAL) {
    remarks.about(name, `runs every day, which is the longest interval, instead of every ${seconds} s.`);
  }
  return interval;
};

/** Returns the time limit of a check in seconds, as near as Uptrail allows, and remarks if a limit was lowered. */
export const timeoutOf = (name: string, seconds: number, remarks: Remarks, longest = LONGEST_TIMEOUT): number => {
  const timeout = within(Math.round(seconds * 1_000) / 1_000, SHORTEST_TIMEOUT, longest);
  if (seconds > longest) remarks.about(name, `has a time limit of ${longest} s, which is the longest.`);
  return timeout;
};

/** Returns the confirmations of a rule that notifies after a number of retries. */
export const confirmationsOf = (name: string, retries: number, remarks: Remarks): number => {
  const confirmations = within(Math.round(retries) + 1, 1, MOST_CONFIRMATIONS);
  if (retries + 1 > MOST_CONFIRMATIONS) {
    remarks.about(name, `notifies after ${MOST_CONFIRMATIONS} failures in a row, which is the most.`);
  }
  return confirmations;
};
