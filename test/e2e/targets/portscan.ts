import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { freePort } from '../../servers/ports.ts';
import type { Target } from './target.ts';

/** Opens a port that a check expects to be open. To break the target, the port is closed. */
export const portscanTarget = async (): Promise<Target> => {
  const port = await freePort();
  let server: Server | null = null;
  const open = async (): Promise<void> => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('Hello.\r\n');
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async (): Promise<void> => {
    server?.close();
    server = null;
  };
  await open();
  return {
    definition: {
      name: 'Open ports',
      type: 'portscan',
      host: '127.0.0.1',
      parameters: {
        ports: port.toString(),
        scan_type: 'connect',
        service_detection: false,
        assertions: { expected_open_ports: [port] },
      },
    },
    broken: { status: 'failed', sentence: new RegExp(port.toString()) },
    break: close,
    mend: open,
    close,
  };
};
