const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

const PART = String.raw`(\d+(?:\.\d+)?|\.\d+)(ns|us|µs|μs|ms|s|m|h|d|w|y)`;

/**
 * Parses a duration of Go or Prometheus, such as `1m30s`, `500ms` or `2d`.
 *
 * @returns seconds; null if the text is not a duration
 */
export const parseDuration = (text: string): number | null => {
  if (text === '0') return 0;
  if (text.length > 50 || !new RegExp(`^(?:${PART})+$`).test(text)) return null;
  const parts = [...text.matchAll(new RegExp(PART, 'g'))];
  return parts.reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (SECONDS[unit] ?? 1), 0);
};
