import type { Socket } from 'node:net';
import { rawServer } from '../../probes/web/servers.ts';

/** The response of a target to a line: `reset` closes the connection immediately, `null` means no response. */
export type LineResponse = 'ok' | 'no' | 'reset' | null;

export interface LineTarget {
  port: number;
  /** ids of the received messages, in order */
  received: string[];
  answer: LineResponse;
}

/** Opens a target that receives lines and responds to each. */
export const openLineTarget = async (response: LineResponse): Promise<LineTarget> => {
  const target: LineTarget = { port: 0, received: [], answer: response };
  const { port } = await rawServer((socket: Socket) => {
    socket.on('data', (line) => {
      target.received.push(line.toString().split(' ')[0] ?? '');
      if (target.answer === 'reset') socket.resetAndDestroy();
      else if (target.answer !== null) socket.end(`${target.answer}\n`);
    });
  });
  target.port = port;
  return target;
};
