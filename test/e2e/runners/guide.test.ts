import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { endPrograms, serve } from '../program.ts';
import { tourCommandsOf, missingTools, runCommands } from '../document-commands.ts';

const test = suite('the five minutes of docs/operate/runners.md');
test.after.each(endPrograms);

const workToTheLetter = inTemporaryFolder(async (folder) => {
  const program = await serve({ DATA_DIR: `${folder}/data` });
  const intranet = createServer((_, response) => response.end('Welcome')).listen(0, '127.0.0.1');
  await once(intranet, 'listening');
  const { port } = intranet.address() as AddressInfo;
  const commands = tourCommandsOf('docs/operate/runners.md')
    .replaceAll('http://127.0.0.1:3000', program.address)
    .replaceAll('http://127.0.0.1:8080', `http://127.0.0.1:${port}`);
  try {
    const output = await runCommands(commands, folder);
    assert.match(output, '"name": "Office"');
    assert.match(output, '"alone": true');
    assert.match(output, /"status": "ok",\n {2}"created_at": "[^"]+",\n {2}"region": "private-[0-9a-z]{12}"/);
    assert.match(output, '"multi_region_mode": "majority"');
    assert.match(output, /No remote runner is connected for: .*private-[0-9a-z]{12}/);
    assert.match(output, /Dublin .* revoked, region released/);
    assert.match(output, '{"action":"runner.token_confirmed"');
    assert.match(output, '{"action":"runner.revoked","resource_name":"Office"}');
    assert.not.match(output, /upr_[\w-]{43}/);
    assert.is((await program.end('SIGTERM')).code, 0);
  } finally {
    intranet.closeAllConnections();
    intranet.close();
  }
});
if (missingTools().length > 0)
  test.skip('the first five minutes of docs/operate/runners.md work to the letter', workToTheLetter);
else test('the first five minutes of docs/operate/runners.md work to the letter', workToTheLetter);

test.run();
