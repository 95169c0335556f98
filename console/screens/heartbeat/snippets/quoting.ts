/** Quotes a text as one word of a POSIX shell. */
export const quoteForShell = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Quotes a text for PowerShell, without variable expansion. */
export const powerShellText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Returns a name that is valid for files, systemd units and Kubernetes objects: `backup-of-eu`. */
export const fileNameOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '') || 'job';
