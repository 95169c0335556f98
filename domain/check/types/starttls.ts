/** The protocols that a connection can speak before TLS starts. `none`: TLS starts with the first byte. */
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

/** Returns the protocol that is usual on a port before TLS starts. */
export const startTlsOf = (port: number): StartTls => BY_PORT.get(port) ?? 'none';
