/** An object of JSON. */
export type Fields = Record<string, unknown>;

/** Whether a value is an object of JSON, and neither an array nor null. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
