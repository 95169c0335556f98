import { createSecureContext, TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import type { Certificate } from '../../probes/web/certificates.ts';
import { rawServer, type Opened } from '../../probes/web/servers.ts';

/** A server's reaction to a command: a response, or a function that uses the socket. */
export type Reaction = string | ((socket: Socket) => void);

/** The behaviour of a server. */
export interface Behaviour {
  /**
   * reactions by command verb; `GREETING` stands for the opening of a connection, and `.` for the end of a message;
   * every command without a reaction succeeds
   */
  answers?: Partial<Record<'GREETING' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | '.' | 'STARTTLS', Reaction>>;
  /** extensions that the server offers */
  offers?: readonly string[];
  /** certificate for STARTTLS */
  certificate?: Certificate;
  /** called before each response; if the function returns a reaction, this reaction replaces the response */
  onCommand?: (command: string, session: number) => Reaction | undefined;
}

export interface SmtpServer extends Opened {
  /** for example `smtp://127.0.0.1:4711` */
  url: string;
  /** all received commands, each with the number of its session: `1 EHLO uptrail` */
  commands: string[];
  /** all accepted messages as they were sent, without removing the dots that SMTP adds */
  messages: string[];
  /** returns the number of sessions so far */
  sessions: () => number;
}

const USUAL: Record<string, string> = {
  GREETING: '220 relay ESMTP',
  HELO: '250 relay',
  AUTH: '235 2.7.0 Welcome',
  MAIL: '250 2.1.0 Ok',
  RCPT: '250 2.1.5 Ok',
  DATA: '354 Go on',
  '.': '250 2.0.0 Ok: queued',
  RSET: '250 2.0.0 Ok',
  NOOP: '250 2.0.0 Ok',
  STARTTLS: '220 2.0.0 Ready',
};

/** Starts a mail server on this machine with the given behaviour. */
export const smtpServer = async (behaviour: Behaviour = {}): Promise<SmtpServer> => {
  const { answers = {}, offers = [], certificate, onCommand } = behaviour;
  const commands: string[] = [];
  const messages: string[] = [];
  let sessions = 0;

  const talk = (wire: Socket, session: number): void => {
    // Without this call, the system delays small responses until the previous one is acknowledged.
    wire.setNoDelay();
    let socket = wire;
    let waiting = '';
    let body: string[] | null = null;
    let isSecure = false;

    const react = (verb: string, usual: string, command: string): void => {
      const reaction = onCommand?.(command, session) ?? answers[verb as keyof typeof answers] ?? usual;
      if (typeof reaction === 'function') reaction(socket);
      else socket.write(`${reaction}\r\n`);
    };
    const secure = (): void => {
      wire.removeListener('data', read);
      const tls = new TLSSocket(wire, { isServer: true, secureContext: createSecureContext(certificate) });
      tls.on('error', () => undefined);
      tls.on('data', read);
      socket = tls;
      isSecure = true;
    };
    const command = (line: string): void => {
      const verb = (/^[A-Za-z]+/.exec(line)?.[0] ?? '').toUpperCase();
      commands.push(`${session} ${line}`);
      if (verb === 'QUIT') {
        socket.end('221 2.0.0 Bye\r\n');
        return;
      }
      if (verb === 'EHLO') {
        const lines = ['relay', ...offers, ...(certificate && !isSecure ? ['STARTTLS'] : [])];
        const last = lines.length - 1;
        react(verb, lines.map((one, index) => `250${index === last ? ' ' : '-'}${one}`).join('\r\n'), line);
        return;
      }
      react(verb, USUAL[verb] ?? '500 5.5.1 What?', line);
      if (verb === 'DATA' && (answers.DATA ?? '354').toString().startsWith('3')) body = [];
      if (verb === 'STARTTLS' && (answers.STARTTLS ?? '220').toString().startsWith('2')) secure();
    };
    const read = (chunk: Buffer): void => {
      waiting += chunk.toString('latin1');
      for (let end = waiting.indexOf('\r\n'); end >= 0; end = waiting.indexOf('\r\n')) {
        const line = waiting.slice(0, end);
        waiting = waiting.slice(end + 2);
        if (!body) command(line);
        else if (line === '.') {
          messages.push(body.join('\r\n'));
          body = null;
          react('.', USUAL['.'] ?? '', '.');
        } else body.push(line.replace(/^\./, ''));
      }
    };
    wire.on('data', read);
    wire.on('end', () => wire.end());
    react('GREETING', USUAL['GREETING'] ?? '', 'GREETING');
  };

  const opened = await rawServer((socket) => {
    sessions += 1;
    talk(socket, sessions);
  });
  return { ...opened, url: `smtp://127.0.0.1:${opened.port}`, commands, messages, sessions: () => sessions };
};

/** Closes the connection instead of responding. */
export const drop = (socket: Socket): void => {
  socket.destroy();
};

/** Sends nothing. */
export const silence = (): void => undefined;
