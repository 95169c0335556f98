import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listening, type Opened } from '../../../probes/web/servers.ts';

/** A proxy that opens tunnels (RFC 9110, 9.3.6) and counts them. */
export interface ConnectProxy extends Opened {
  tunnels: () => number;
}

export const openConnectProxy = async (host: string): Promise<ConnectProxy> => {
  let tunnels = 0;
  const server = createServer((_request, response) => {
    response.writeHead(405).end();
  });
  server.on('connect', ({ url = '' }, client: Socket) => {
    tunnels += 1;
    const { hostname, port } = new URL(`http://${url}`);
    const peer = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(peer).pipe(client);
    });
    for (const socket of [client, peer])
      socket
        .on('error', () => undefined)
        .on('close', () => {
          client.destroy();
          peer.destroy();
        });
  });
  return { ...(await listening(server, host)), tunnels: () => tunnels };
};
