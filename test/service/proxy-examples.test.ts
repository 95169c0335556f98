import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from './temporary.ts';

const test = suite('the example configurations of reverse proxies');

const EXAMPLES = join(process.cwd(), 'deploy', 'proxy');

/** Runs a program. @returns its status and output, or null if it is not installed */
const outputOf = (program: string, ...options: string[]): { status: number | null; text: string } | null => {
  const { status, stdout, stderr, error } = spawnSync(program, options, { encoding: 'utf8' });
  if (error && 'code' in error && error.code === 'ENOENT') {
    console.log(`skipped: ${program} is not installed`);
    return null;
  }
  return { status, text: `${stdout}${stderr}` };
};

test(
  'the example configuration for nginx is valid',
  inTemporaryFolder(async (folder) => {
    const key = join(folder, 'key.pem');
    const certificate = join(folder, 'certificate.pem');
    const made = outputOf(
      ...(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'] as const),
      ...['-subj', '/CN=status.example.org', '-keyout', key, '-out', certificate],
    );
    if (!made) return;
    assert.is(made.status, 0, made.text);
    let sockets = 0;
    // The ports are replaced, because nginx opens them even when it only validates its configuration.
    const example = readFileSync(join(EXAMPLES, 'nginx.conf'), 'utf8')
      .replaceAll(/listen \d+/g, () => `listen unix:${join(folder, `${sockets++}.sock`)}`)
      .replaceAll('/etc/letsencrypt/live/status.example.org/fullchain.pem', certificate)
      .replaceAll('/etc/letsencrypt/live/status.example.org/privkey.pem', key);
    assert.is(sockets, 3);
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${example}}\n`);
    const looked = outputOf('nginx', '-t', '-c', file, '-e', join(folder, 'error.log'));
    if (looked) assert.is(looked.status, 0, looked.text);
  }),
);

test(
  'the example configuration for Caddy is valid',
  inTemporaryFolder(async () => {
    const looked = outputOf('caddy', 'validate', '--config', join(EXAMPLES, 'Caddyfile'), '--adapter', 'caddyfile');
    if (looked) assert.is(looked.status, 0, looked.text);
    const adapted = outputOf('caddy', 'adapt', '--config', join(EXAMPLES, 'Caddyfile'), '--adapter', 'caddyfile');
    if (adapted) assert.match(adapted.text, '"ask":"http://127.0.0.1:3000/internal/domain-allowed"');
  }),
);

test.run();
