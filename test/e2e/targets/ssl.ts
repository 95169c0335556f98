import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../../probes/web/certificates.ts';
import { freePort } from '../../servers/ports.ts';
import { createNginx } from '../nginx.ts';
import type { Target } from './target.ts';

/** Starts nginx with a certificate of a test authority. To break the target, an expired certificate replaces it. */
export const sslTarget = async (folder: string): Promise<Target> => {
  const authority = createAuthority();
  authority.make('good', { names: 'IP:127.0.0.1' });
  authority.make('expired', { names: 'IP:127.0.0.1', from: '20200101000000Z', until: '20210101000000Z' });
  const used = { cert: join(folder, 'used.crt'), key: join(folder, 'used.key') };
  const use = (name: string): void => {
    copyFileSync(authority.file(`${name}.crt`), used.cert);
    copyFileSync(authority.file(`${name}.key`), used.key);
  };
  use('good');
  const port = await freePort();
  const nginx = createNginx(folder, [{ port, certificate: used }]);
  await nginx.start();
  const swap = async (name: string): Promise<void> => {
    use(name);
    nginx.reload();
  };
  return {
    definition: {
      name: 'Certificate',
      type: 'ssl',
      host: '127.0.0.1',
      port,
      parameters: { ca_certificate: authority.root },
    },
    broken: { status: 'failed', sentence: /expired/ },
    break: () => swap('expired'),
    mend: () => swap('good'),
    close: async () => {
      await nginx.stop();
      authority.close();
    },
  };
};
