const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration in nmap's format: `100ms`, `2s`, `5m`, `1h`. */
export const DURATION = /^[1-9]\d{0,6}(?:ms|s|m|h)$/;

/** Converts a duration in nmap's format to milliseconds. Returns NaN if the text is invalid. */
export const millisecondsIn = (text: string): number =>
  DURATION.test(text) ? Number.parseInt(text, 10) * (UNITS[text.replace(/^\d+/, '')] ?? NaN) : NaN;

export const DEFAULT_HOST_TIMEOUT = '5m';
export const SHORTEST_HOST_TIMEOUT_MS = 1_000;
export const LONGEST_HOST_TIMEOUT_MS = 600_000;

/**
 * Returns the maximum duration of a portscan in milliseconds: `host_timeout`, or the longest allowed `host_timeout` if
 * the text is invalid.
 */
export const hostTimeoutMs = (parameters: Readonly<Record<string, unknown>>): number => {
  const { host_timeout: text = DEFAULT_HOST_TIMEOUT } = parameters;
  const given = typeof text === 'string' ? millisecondsIn(text) : NaN;
  return given <= LONGEST_HOST_TIMEOUT_MS ? given : LONGEST_HOST_TIMEOUT_MS;
};
