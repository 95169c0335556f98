import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Starts an nginx with TLS in front of the service, as installations have one. @returns ends it */
export const startProxy = async (
  folder: string,
  { cert, key }: { cert: string; key: string },
  port: number,
  servicePort: string,
): Promise<() => void> => {
  const at = (name: string): string => join(folder, `proxy-${name}`);
  writeFileSync(at('cert'), cert);
  writeFileSync(at('key'), key);
  writeFileSync(
    at('conf'),
    `daemon off; worker_processes 1; pid ${at('pid')}; error_log stderr; user root;
events { worker_connections 4096; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${at(kind)};`).join(' ')}
  upstream service { server 127.0.0.1:${servicePort}; keepalive 32; }
  server {
    listen ${port.toString()} ssl;
    ssl_certificate ${at('cert')};
    ssl_certificate_key ${at('key')};
    client_max_body_size 64m;
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_read_timeout 1h;
    }
  }
}`,
  );
  const child = spawn('nginx', ['-c', at('conf'), '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
      socket.once('connect', () => socket.destroy());
    });
    if (isUp) break;
    await sleep(50);
  }
  return () => child.kill('SIGTERM');
};
