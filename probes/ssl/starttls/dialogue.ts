import { ProbeFailure, quoted } from '../../engine/probe-failure.ts';
import type { Wire } from '../wire/wire.ts';

/** A server does not switch to TLS. */
export class StartTlsFailed extends ProbeFailure {
  /** whether the server is temporarily too busy */
  readonly busy: boolean;

  constructor(sentence: string, { busy = false } = {}) {
    super('down', 'protocol', sentence);
    this.name = 'StartTlsFailed';
    this.busy = busy;
  }
}

/** Timeout for each read, in milliseconds. Mail servers that delay their greeting to deter spammers take about 6 s. */
export const PATIENCE_MS = 15_000;
/** Maximum length of a line, in bytes. */
export const MAX_LINE = 4_096;
export const MAX_LINES = 200;

/** Shortens a server's text for a sentence. */
export const quotedReply = (text: string): string => {
  const readable = text.replace(/[^\x20-\x7e]+/g, ' ').trim();
  return readable === '' ? 'something that is not text' : quoted(readable);
};

/** A dialogue in the protocol of the server, before TLS starts. */
export interface StartTlsDialogue {
  wire: Wire;
  /** host of the check, which XMPP needs */
  host: string;
  /** Returns the failure of a server that speaks another protocol. */
  stranger: (heard: string) => StartTlsFailed;
  /** Returns the failure of a server that refuses TLS. */
  refused: (answer: string) => StartTlsFailed;
  /** Returns the failure of a server that refuses a step before TLS. @param what the step: `EHLO [192.0.2.1]` */
  refusedFirst: (what: string, answer: string) => StartTlsFailed;
  busy: (answer: string) => StartTlsFailed;
}

/** Returns the bytes of a read. @throws StartTlsFailed if the read failed */
export const receivedBytes = async (talk: StartTlsDialogue, reading: Promise<Buffer | string>): Promise<Buffer> => {
  const bytes = await reading;
  if (typeof bytes !== 'string') return bytes;
  const { peer } = talk.wire;
  const begun = talk.wire.peek(100).toString('latin1');
  if (bytes === 'too-long' || begun !== '') throw talk.stranger(begun);
  throw new StartTlsFailed(
    bytes === 'silent'
      ? `${peer} said nothing before TLS could begin.`
      : `${peer} ${bytes === 'reset' ? 'reset' : 'closed'} the connection before TLS could begin.`,
    { busy: bytes !== 'silent' },
  );
};

/** Reads the next line. Returns it without the line end. */
export const readLine = async (talk: StartTlsDialogue): Promise<string> =>
  (await receivedBytes(talk, talk.wire.readUntil('\n', MAX_LINE, PATIENCE_MS))).toString('latin1').trimEnd();
