import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fieldOf, mapSealedPlaces, maskedMetadata, sealedPlaces } from '../../../domain/check/sealing.ts';

const sealing = suite('what of a check is sealed');

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

sealing('is the credentials, the body and the header values of its request', () => {
  assert.equal(
    sealedPlaces(parameters, 'web').map((place) => [fieldOf(place), place.secret]),
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

sealing('is nothing where there is no request', () => {
  assert.equal(sealedPlaces({}, 'web'), []);
  assert.equal(sealedPlaces({ http_request: 'GET' }, 'web'), []);
  assert.equal(sealedPlaces({ http_request: { headers: ['a'] } }, 'web'), []);
});

sealing('is the text that a tcp check sends; of other types that field is like any that nobody knows', () => {
  const place = { path: ['send_text'], secret: true };
  assert.equal(sealedPlaces({ send_text: 'AUTH x' }, 'tcp'), [place]);
  assert.equal(sealedPlaces({ send_text: 'AUTH x' }, 'web'), []);
  assert.equal(sealedPlaces({ send_text: 'AUTH x' }, null), [place]);
});

sealing('all else stays as it is, and so does what was given', async () => {
  const before = structuredClone(parameters);
  const mapped = await mapSealedPlaces(parameters, 'web', async (text, { secret }) =>
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

sealing('leaves of what a run found out the harmless headers, and no body', () => {
  const metadata = { status_code: 500, headers: { 'set-cookie': 'a=b', server: 'nginx' }, body_excerpt: 'Oh no' };
  const masked = { status_code: 500, headers: { 'set-cookie': '********', server: 'nginx' }, body_excerpt: '********' };
  for (const type of ['web', 'api', 'carrier-pigeon']) assert.equal(maskedMetadata(metadata, type), masked);
  assert.is(metadata.body_excerpt, 'Oh no');
  assert.is(maskedMetadata(metadata, 'tcp'), metadata);
  const without = { status_code: null, headers: {} };
  assert.is(maskedMetadata(without, 'web'), without);
});

sealing('leaves of what a portscan found out the ports and states', () => {
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
