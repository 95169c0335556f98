/** A JSON object. */
export type Fields = Record<string, unknown>;

/** Whether a value is a JSON object; arrays and null are not. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
