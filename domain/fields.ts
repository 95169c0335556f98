/** A JSON object. */
export type Fields = Record<string, unknown>;

/** Whether a value is a JSON object, and neither an array nor null. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
