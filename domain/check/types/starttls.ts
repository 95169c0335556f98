/** The protocol before TLS starts; `none`: TLS from the first byte. */
export const STARTTLS = ['none', 'smtp', 'imap', 'pop3', 'ftp', 'ldap', 'postgres', 'mysql', 'xmpp'] as const;
export type StartTls = (typeof STARTTLS)[number];

const BY_PORT: ReadonlyMap<number, StartTls> = new Map([
  [21, 'ftp'],
  [25, 'smtp'],
  [110, 'pop3'],
  [143, 'imap'],
  [389, 'ldap'],
  [587, 'smtp'],
  [3306, 'mysql'],
  [5222, 'xmpp'],
  [5432, 'postgres'],
]);

/** The usual protocol of a port. */
export const startTlsOf = (port: number): StartTls => BY_PORT.get(port) ?? 'none';
