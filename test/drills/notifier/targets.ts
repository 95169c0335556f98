import type { Socket } from 'node:net';
import { rawServer } from '../../probes/web/servers.ts';

/** How a target responds to a line: `reset` closes the connection immediately, `null` never responds. */
export type Answer = 'ok' | 'no' | 'reset' | null;

export interface Target {
  port: number;
  /** ids of the received messages, in order */
  heard: string[];
  answer: Answer;
}

/** A target that receives lines and responds to each. */
export const listening = async (response: Answer): Promise<Target> => {
  const target: Target = { port: 0, heard: [], answer: response };
  const { port } = await rawServer((socket: Socket) => {
    socket.on('data', (line) => {
      target.heard.push(line.toString().split(' ')[0] ?? '');
      if (target.answer === 'reset') socket.resetAndDestroy();
      else if (target.answer !== null) socket.end(`${target.answer}\n`);
    });
  });
  target.port = port;
  return target;
};
