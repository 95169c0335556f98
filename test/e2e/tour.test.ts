import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { endPrograms, serve } from './program.ts';
import { commandsOf, missingTools, walk } from './tours.ts';

const test = suite('the tour of the README');
test.after.each(endPrograms);

const worksToTheLetter = inTemporaryFolder(async (folder) => {
  const program = await serve({ DATA_DIR: `${folder}/data` });
  const output = await walk(commandsOf('README.md').replaceAll('http://127.0.0.1:3000', program.address), folder);
  assert.match(output, '"status": "major_outage"');
  assert.match(output, /^Major system outage$/m);
  assert.match(output, '"impact": "critical"');
  assert.match(output, '"status": "ok"');
  assert.match(output, '"action":"check.created"');
  const page = await (await fetch(`${program.address}/status/acme`)).text();
  assert.match(page, /<h1[^>]*>All systems operational<\/h1>/);
  assert.match(page, 'A deploy was rolled back.');
  assert.is((await program.end('SIGTERM')).code, 0);
});
if (missingTools().length > 0) test.skip('the tour of the README works to the letter', worksToTheLetter);
else test('the tour of the README works to the letter', worksToTheLetter);

test.run();
