const RANGE = /^([1-5]\d\d)-([1-5]\d\d)$/;

/**
 * Parses a status code, or a range such as `300-399`. Returns the first and last status, or null if the value is
 * neither.
 */
export const statusRange = (code: unknown): readonly [number, number] | null => {
  if (typeof code === 'number') return Number.isInteger(code) && code >= 100 && code <= 599 ? [code, code] : null;
  const [, from, to] = RANGE.exec(String(code)) ?? [];
  return from !== undefined && to !== undefined && from <= to ? [Number(from), Number(to)] : null;
};
