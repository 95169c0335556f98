/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A text as PowerShell takes it, without variables. */
export const powerShellText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A name as files, units and Kubernetes objects take it: `backup-of-eu`. */
export const fileNameOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '') || 'job';
