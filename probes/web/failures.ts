import type { HttpFault } from '../../network/http/fault.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';

const CLOSED = {
  nothing: 'without an answer',
  interim: 'after an interim answer, without the final one',
  head: 'within the headers of its answer',
  body: 'before the response was complete',
};

const sentenceOf = ({ reason }: HttpFault, peer: string): string => {
  switch (reason.kind) {
    case 'invalid':
      return `The response is not valid HTTP: ${reason.words}.`;
    case 'foreign':
      return `The response is not HTTP: the server speaks ${reason.protocol}.`;
    case 'headers too large':
      return 'The response headers are larger than 64 KiB.';
    case 'upgrade':
      return `${peer} switched to another protocol (101), which the request did not ask for.`;
    case 'closed':
      return `${peer} closed the connection ${CLOSED[reason.within]}.`;
    case 'cut off':
      return `${peer} ended the TLS connection without announcing it, so the response may be cut off.`;
  }
};

/** Returns the failure of an incomplete or invalid response. @param peer such as `127.0.0.1:443` */
export const faultFailure = (fault: HttpFault, peer: string): ProbeFailure =>
  new ProbeFailure('down', 'protocol', sentenceOf(fault, peer), { cause: fault });
