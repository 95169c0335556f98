import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fieldOf, mapSealedTexts, maskedMetadata, sealedPositions } from '../../../domain/check/sealing.ts';

const sealing = suite('sealed texts of a check');

const parameters = {
  search_text: 'ok',
  http_request: {
    method: 'POST',
    headers: { AUTHORIZATION: 'Bearer abc', 'PRIVATE-TOKEN': '2', 'Accept-LANGUAGE': '1' },
    body: 'a=b',
    username: 'u',
    password: 'p',
    note: 'kept as sent',
  },
};

sealing('the credentials, the body and the header values of a request are sealed', () => {
  assert.equal(
    sealedPositions(parameters, 'web').map((position) => [fieldOf(position), position.secret]),
    [
      ['parameters.http_request.username', false],
      ['parameters.http_request.password', true],
      ['parameters.http_request.body', true],
      ['parameters.http_request.headers.AUTHORIZATION', true],
      ['parameters.http_request.headers.PRIVATE-TOKEN', true],
      ['parameters.http_request.headers.Accept-LANGUAGE', false],
    ],
  );
});

sealing('nothing is sealed in check parameters without a request', () => {
  assert.equal(sealedPositions({}, 'web'), []);
  assert.equal(sealedPositions({ http_request: 'GET' }, 'web'), []);
  assert.equal(sealedPositions({ http_request: { headers: ['a'] } }, 'web'), []);
});

sealing('the text that a TCP check sends is sealed, and the same field of a web check is not', () => {
  const position = { path: ['send_text'], secret: true };
  assert.equal(sealedPositions({ send_text: 'AUTH x' }, 'tcp'), [position]);
  assert.equal(sealedPositions({ send_text: 'AUTH x' }, 'web'), []);
  assert.equal(sealedPositions({ send_text: 'AUTH x' }, null), [position]);
});

sealing('sealing changes neither other fields nor the object that is passed to it', async () => {
  const before = structuredClone(parameters);
  const mapped = await mapSealedTexts(parameters, 'web', async (text, { secret }) =>
    secret ? 'secret' : `<${String(text)}>`,
  );
  assert.equal(mapped, {
    search_text: 'ok',
    http_request: {
      method: 'POST',
      headers: { AUTHORIZATION: 'secret', 'PRIVATE-TOKEN': 'secret', 'Accept-LANGUAGE': '<1>' },
      body: 'secret',
      username: '<u>',
      password: 'secret',
      note: 'kept as sent',
    },
  });
  assert.equal(parameters, before);
});

sealing('sealing keeps only harmless headers and no body of a response', () => {
  const metadata = { status_code: 500, headers: { 'set-cookie': 'a=b', server: 'nginx' }, body_excerpt: 'Oh no' };
  const masked = { status_code: 500, headers: { 'set-cookie': '********', server: 'nginx' }, body_excerpt: '********' };
  for (const type of ['web', 'api', 'carrier-pigeon']) assert.equal(maskedMetadata(metadata, type), masked);
  assert.is(metadata.body_excerpt, 'Oh no');
  assert.is(maskedMetadata(metadata, 'tcp'), metadata);
  const without = { status_code: null, headers: {} };
  assert.is(maskedMetadata(without, 'web'), without);
});

sealing('sealing keeps the ports and states of a port scan', () => {
  const host = { ip: '127.0.0.1', hostname: null, state: 'up' };
  const port = { port: 22, protocol: 'tcp' };
  const metadata = {
    target: '127.0.0.1',
    execution_time: 1,
    scan_results: [{ ...host, open_ports: [{ ...port, service: 'ssh', product: 'OpenSSH' }], os_matches: [] }],
    summary: { total_hosts: 1 },
    vulnerabilities: [],
    notes: [],
  };
  assert.equal(maskedMetadata(metadata, 'portscan'), {
    target: '127.0.0.1',
    execution_time: 1,
    scan_results: [{ ...host, open_ports: [port] }],
    summary: { total_hosts: 1 },
  });
});

sealing.run();
