/** Copies an object without some of its fields. */
export const omit = (fields: object, ...names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
