/** A changed field, with its previous and its new value as texts. */
export interface ChangedField {
  /** dotted path: `parameters.http_request.method` */
  field: string;
  before: string;
  after: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a value as readable text: strings without quotes, missing values as a dash. */
const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value === '' ? '""' : value;
  return JSON.stringify(value);
};

const within = (field: string, before: unknown, after: unknown): ChangedField[] => {
  if (!isObject(before) || !isObject(after)) {
    const [one, other] = [shown(before), shown(after)];
    return one === other ? [] : [{ field, before: one, after: other }];
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => within(`${field}.${name}`, before[name], after[name]));
};

/**
 * Returns the changed fields of an audit log entry. If only some fields of an object changed, these fields are listed
 * instead of the object.
 */
export const changedFields = (changes: Readonly<Record<string, { old: unknown; new: unknown }>>): ChangedField[] =>
  Object.entries(changes).flatMap(([field, change]) => within(field, change.old, change.new));
