import type { Socket } from 'node:net';
import { rawServer } from '../../probes/web/servers.ts';

/** How a target answers a line: `reset` ends the connection at once, `null` never says anything. */
export type Answer = 'ok' | 'no' | 'reset' | null;

export interface Target {
  port: number;
  /** ids of the messages it was handed, in their order */
  heard: string[];
  answer: Answer;
}

/** A target that hears lines, and answers each. */
export const listening = async (answer: Answer): Promise<Target> => {
  const target: Target = { port: 0, heard: [], answer };
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
