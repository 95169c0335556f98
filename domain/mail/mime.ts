/** A message, or a part of a message (RFC 2045). */
export interface Entity {
  /** values by lower-case name, in their original order; each value is unfolded into one line */
  headers: ReadonlyMap<string, readonly string[]>;
  /** the body before decoding */
  body: string;
}

/** Limits that protect against hostile messages. Real messages are far below them. */
const MOST_HEADERS = 500;
const MOST_PARTS = 20;
const DEEPEST = 4;

/** Parses the headers and the body of a message. Line breaks are LF or CRLF. */
export const entityIn = (text: string): Entity => {
  const blank = /^\r?\n|\r?\n\r?\n/.exec(text);
  if (!blank) return { headers: fieldsIn(text), body: '' };
  return { headers: fieldsIn(text.slice(0, blank.index)), body: text.slice(blank.index + blank[0].length) };
};

/** Parses lines of `Name: value`, and unfolds continued lines. */
export const fieldsIn = (text: string): Map<string, string[]> => {
  const fields = new Map<string, string[]>();
  const lines = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/, MOST_HEADERS);
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name === '') continue;
    fields.set(name, [...(fields.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  return fields;
};

/** Returns the content type in lower case, such as `multipart/report`. The default is text/plain. */
export const typeOf = ({ headers }: Entity): string =>
  /^[\w.+-]+\/[\w.+-]+/.exec(headers.get('content-type')?.[0] ?? '')?.[0].toLowerCase() ?? 'text/plain';

/** Finds the first part that has one of the types, down to a limited depth. The part may be the message itself. */
export const partOfType = (entity: Entity, types: readonly string[], depth = 0): Entity | null => {
  const type = typeOf(entity);
  if (types.includes(type)) return entity;
  if (!type.startsWith('multipart/') || depth >= DEEPEST) return null;
  for (const part of partsOf(entity)) {
    const found = partOfType(entityIn(part), types, depth + 1);
    if (found) return found;
  }
  return null;
};

const partsOf = ({ headers, body }: Entity): string[] => {
  const [, quoted, bare] =
    /;\s*boundary\s*=\s*(?:"([^"]{1,100})"|([^\s;"]{1,100}))/i.exec(headers.get('content-type')?.[0] ?? '') ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return [];
  const [, ...parts] = `\n${body}`.split(`\n--${boundary}`, MOST_PARTS + 1);
  const end = parts.findIndex((part) => part.startsWith('--'));
  return (end < 0 ? parts : parts.slice(0, end)).map((part) => part.replace(/^[ \t]*\r?\n/, ''));
};

/** Returns the decoded content of a part. */
export const textOf = ({ headers, body }: Entity): string => {
  switch (headers.get('content-transfer-encoding')?.[0]?.toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64').toString();
    case 'quoted-printable':
      return body
        .replace(/=[ \t]*\r?\n/g, '')
        .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    default:
      return body;
  }
};
