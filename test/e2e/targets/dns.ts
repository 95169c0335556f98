import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode, type Answer } from 'dns-packet';
import type { Target } from './target.ts';

const ZONE = 'shop.example';
const AUTHORITATIVE = 0x0400;

/** Starts a name server for one zone. To break the target, the address record is changed. */
export const dnsTarget = async (): Promise<Target> => {
  let address = '127.0.0.10';
  const socket = createSocket('udp4');
  const answer = (message: Buffer, { port }: RemoteInfo): void => {
    const { id = 0, questions = [] } = decode(message);
    const [question] = questions;
    if (!question) return;
    const name = question.name.toLowerCase();
    const answers: Answer[] = [];
    if (name === ZONE && question.type === 'A') answers.push({ name, type: 'A', ttl: 1, data: address });
    if (name === ZONE && question.type === 'NS') answers.push({ name, type: 'NS', ttl: 1, data: `ns.${ZONE}` });
    socket.send(encode({ type: 'response', id, flags: AUTHORITATIVE, questions, answers }), port, '127.0.0.1');
  };
  socket.on('message', (message, from) => {
    answer(message, from);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const change = async (to: string): Promise<void> => {
    address = to;
  };
  return {
    definition: {
      name: 'Address record',
      type: 'dns',
      host: ZONE,
      parameters: {
        record_type: 'A',
        dns_servers: [`127.0.0.1:${socket.address().port}`],
        expected_answers: ['127.0.0.10'],
      },
    },
    broken: { status: 'failed', sentence: /127\.0\.0\.10/ },
    break: () => change('127.0.0.11'),
    mend: () => change('127.0.0.10'),
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
};
