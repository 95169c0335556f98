/** A field of a WHOIS answer. */
export interface Line {
  /** heading that it stands under, in lower case; empty if none */
  section: string;
  /** in lower case, without dots that lead to the value */
  key: string;
  value: string;
}

/** `[Expires on]   2027/01/31`, `a. [Domain Name]   EXAMPLE.JP` */
const BRACKETED = /^\s*(?:[a-z]\.\s+)?\[([^\]]{1,60})\]\s*(.*)$/;
/** `Registry Expiry Date: 2027-01-31T12:00:00Z`, `expires............: 31.1.2027` */
const COLON = /^\s*([^:]{1,60}?)[\s.]*:(?:\s+(.*)|(\S.*)|)$/;
/** `Record expires on 2027-01-31 (YYYY-MM-DD)` */
const RECORD = /^\s*(record (?:expires|created|last updated) on)\s+(\d.*)$/i;
/** Lines that are no data. */
const COMMENT = /^\s*(?:[%#>]|\/\/|--)/;
const MAX_LINES = 2_000;

/**
 * The fields of an answer. WHOIS has no format: registries write `key: value`, `[key] value`, dots between both, or the
 * value in the line below its key.
 */
export const linesOf = (text: string): Line[] => {
  const lines: Line[] = [];
  let section = '';
  /** a key whose value may stand in the next line */
  let open: string | null = null;
  for (const line of text.split(/\r\n|\r|\n/, MAX_LINES)) {
    if (line.trim() === '' || COMMENT.test(line)) continue;
    const [, key = '', value = ''] = fieldOf(line);
    if (key === '') {
      const content = line.trim();
      if (open !== null) lines.push({ section, key: open, value: content });
      // A heading without a colon, as nic.it has them.
      else if (!/^\s/.test(line)) section = content.toLowerCase();
      open = null;
      continue;
    }
    const name = key.replace(/^[*\s]+/, '').toLowerCase();
    if (value === '') {
      section = name;
      open = name;
      continue;
    }
    lines.push({ section, key: name, value });
    open = null;
  }
  return lines;
};

const fieldOf = (line: string): readonly string[] => {
  const found = BRACKETED.exec(line) ?? RECORD.exec(line);
  if (found) return [line, found[1] ?? '', (found[2] ?? '').trim()];
  const [, key = '', spaced, tight] = COLON.exec(line) ?? [];
  // `http://…` is no field.
  return [line, tight?.startsWith('//') ? '' : key.trim(), (spaced ?? tight ?? '').trim()];
};
