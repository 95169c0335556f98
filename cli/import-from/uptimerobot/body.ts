import { isRow, parsed, text, type Row } from '../rows.ts';

/** The body that a monitor sends. */
export interface RobotBody {
  body: string | null;
  /** null if the export does not name it */
  contentType: string | null;
}

/** Values of fields of version 2 and 3 of the API, in upper case. */
const KEY_VALUE = ['1', 'KEY_VALUE'];
const JSON_TYPES = ['1', 'APPLICATION/JSON', 'APPLICATION_JSON'];

/** Returns the body of a monitor. Keys and values are sent as a form, other values as they are. */
export const bodyOf = (row: Row): RobotBody => {
  const value = row['post_value'] ?? row['postValueData'];
  if (value === null || value === undefined || value === '') return { body: null, contentType: null };
  const type = (text(row, 'post_type') || text(row, 'postValueType')).toUpperCase();
  const pairs = typeof value === 'string' ? parsed(value) : value;
  if (KEY_VALUE.includes(type) && isRow(pairs)) {
    const form = new URLSearchParams(Object.entries(pairs).map(([name, one]) => [name, String(one)]));
    return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' };
  }
  const given = (text(row, 'post_content_type') || text(row, 'postContentType')).toUpperCase();
  const isJson = type === 'RAW_JSON' || JSON_TYPES.includes(given) || JSON_TYPES.includes(type);
  return {
    body: typeof value === 'string' ? value : JSON.stringify(value),
    contentType: isJson ? 'application/json' : null,
  };
};
