import { isOwnTrouble } from './failures.ts';
import { OwnTrouble } from './own-trouble.ts';

/** There was a connection, but no HTTP answer; the message is a sentence. */
export class NoHttpAnswer extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'NoHttpAnswer';
  }
}

/** @param most bytes */
export const tooLarge = (peer: string, most: number): NoHttpAnswer =>
  new NoHttpAnswer(`The answer of ${peer} is larger than ${(most / 1_024).toString()} KiB.`);

/** What an error of the connection says about the target, or about this machine. `when`: `before it answered` */
export const broken = (error: NodeJS.ErrnoException, peer: string, when: string): NoHttpAnswer | OwnTrouble => {
  const { code = '' } = error;
  // A code of the system or of OpenSSL; anything else is a bug in the program.
  if (isOwnTrouble(code) || !/^(?:E[A-Z_]+|ERR_SSL_\w+)$/.test(code))
    return new OwnTrouble(`The exchange with ${peer} failed for a reason of this machine.`, { cause: error });
  return new NoHttpAnswer(`The connection to ${peer} broke (${code}) ${when}.`, { cause: error });
};

/** What undici reports about an answer. Whatever an answer does to undici must not harm anybody else. */
export const unreadable = (error: Error, peer: string, when: string): NoHttpAnswer => {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_SOCKET' || error.message.includes('Invalid EOF state'))
    return new NoHttpAnswer(`${peer} closed the connection ${when}.`, { cause: error });
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new NoHttpAnswer(`The headers of the answer of ${peer} are larger than 16 KiB.`, { cause: error });
  return new NoHttpAnswer(`The answer of ${peer} is not valid HTTP.`, { cause: error });
};
