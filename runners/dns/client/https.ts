import { ProbeFailure } from '../../probe/failure.ts';
import type { Server } from './answer.ts';
import type { ExchangeContext, RawAnswer } from './exchange.ts';
import type { WrittenQuestion } from './write-question.ts';

export const overHttps = (
  ...[, server]: [question: WrittenQuestion, server: Server, edns: boolean, context: ExchangeContext]
): Promise<RawAnswer> =>
  Promise.reject(new ProbeFailure('down', 'protocol', `${server.text}: questions over HTTPS are not there yet.`));
