import type { StartTls } from '../../domain/check/types/starttls.ts';
import { mysql, postgres } from './starttls/databases.ts';
import { ldap } from './starttls/ldap.ts';
import { ftp, imap, pop3, smtp } from './starttls/lines.ts';
import { quotedReply, StartTlsFailed, type StartTlsDialogue } from './starttls/dialogue.ts';
import { xmpp } from './starttls/xmpp.ts';
import type { Wire } from './wire/wire.ts';

export { StartTlsFailed } from './starttls/dialogue.ts';

const TITLES: Readonly<Record<StartTls, string>> = {
  none: 'TLS',
  smtp: 'SMTP',
  imap: 'IMAP',
  pop3: 'POP3',
  ftp: 'FTP',
  ldap: 'LDAP',
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  xmpp: 'XMPP',
};

const TALKS: Readonly<Record<StartTls, (talk: StartTlsDialogue) => Promise<void>>> = {
  none: async () => undefined,
  smtp,
  imap,
  pop3,
  ftp,
  ldap,
  postgres,
  mysql,
  xmpp,
};

/**
 * Prepares a new connection for TLS, so that the handshake can start.
 *
 * @param host the host of the check
 * @throws StartTlsFailed
 */
export const startTls = (wire: Wire, protocol: StartTls, host: string): Promise<void> => {
  const title = TITLES[protocol];
  const { peer } = wire;
  return TALKS[protocol]({
    wire,
    host,
    stranger: (heard) => new StartTlsFailed(`${peer} does not speak ${title}: it said ${quotedReply(heard)}.`),
    refused: (answer) =>
      new StartTlsFailed(`${peer} does not offer TLS over ${title}: it answered ${quotedReply(answer)}.`),
    refusedFirst: (what, answer) =>
      new StartTlsFailed(
        `${peer} refused ${what} over ${title}, so there is no TLS: it answered ${quotedReply(answer)}.`,
      ),
    busy: (answer) =>
      new StartTlsFailed(`${peer} accepts no ${title} connections at the moment: it said ${quotedReply(answer)}.`, {
        busy: true,
      }),
  });
};
