import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { decode, encode, type DecodedPacket, type Packet } from 'dns-packet';

/** A name server of a specification. */
export interface NameServer {
  port: number;
  close: () => Promise<void>;
}

/** A response to a question, as dns-packet writes it: a referee of what we read. */
export const responseTo = (query: Buffer, response: Packet & { rcode?: number } = {}): Buffer => {
  const { id = 0, questions = [] } = decode(query);
  const { flags = 0, rcode = 0, ...rest } = response;
  return encode({ id, type: 'response', questions, ...rest, flags: flags | rcode });
};

export type SaidOverUdp = (query: Buffer, from: RemoteInfo, socket: UdpSocket, packet: DecodedPacket) => void;

export const udpServer = (say: SaidOverUdp, { host = '127.0.0.1', port = 0 } = {}): Promise<NameServer> =>
  new Promise((resolve, reject) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    socket.on('error', reject);
    socket.on('message', (query, from) => {
      say(query, from, socket, decode(query));
    });
    socket.bind(port, host, () => {
      resolve({
        port: socket.address().port,
        close: () =>
          new Promise((closed) => {
            socket.close(closed);
          }),
      });
    });
  });
