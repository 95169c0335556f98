import { request as ask } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROTOCOL_HEADER } from '../../../runners/remote/protocol.ts';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { endPrograms, serve, uptrail } from '../program.ts';
import { ADMIN_API_KEY, createRunner } from './remote.ts';

const test = suite('a remote runner of an unsupported version');
test.after.each(endPrograms);
test.after.each(closeServers);

/** Forwards requests, with another version of the protocol in the header. */
const speaking = async (version: string, to: string): Promise<string> => {
  const { port } = await httpServer(({ method, url, headers }, response, body) => {
    const passed = ask(to + (url ?? ''), { method, headers: { ...headers, [PROTOCOL_HEADER]: version } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    passed.end(body);
  });
  return `http://127.0.0.1:${port}`;
};

test(
  'a remote runner of an unsupported version reports what must be updated, and exits',
  inTemporaryFolder(async (folder) => {
    const service = await serve({ DATA_DIR: `${folder}/service`, ADMIN_API_KEY });
    const { token } = await createRunner(service, { name: 'Cellar' });
    const environment = { UPTRAIL_RUNNER_TOKEN: token, DATA_DIR: folder, PORT: '' };
    for (const [version, sentence] of [
      ['0', /speaks version 0 of the protocol, the service 1\. Update the runner to the release of the service, \d/],
      ['99', /speaks version 99 of the protocol, the service 1\. Update the service \(release \d/],
      ['x', /speaks version unknown of the protocol/],
    ] as const) {
      const server = await speaking(version, service.address);
      const { code, stderr } = await uptrail(environment, 'run', '--server', server);
      assert.is(code, 1);
      assert.match(stderr, sentence);
    }

    const plain = await uptrail(environment, 'run', '--server', 'http://uptrail.example.org');
    assert.is(plain.code, 1);
    assert.match(plain.stderr, /--server must begin with https:\/\/\. With http:\/\/, the token and the secrets/);
  }),
);

test.run();
