import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { endPrograms, serve } from './program.ts';
import { tourCommandsOf, missingTools, runCommands } from './document-commands.ts';

const test = suite('the tour in README.md');
test.after.each(endPrograms);

const printsExpectedOutput = inTemporaryFolder(async (folder) => {
  const program = await serve({ DATA_DIR: `${folder}/data` });
  const output = await runCommands(
    tourCommandsOf('README.md').replaceAll('http://127.0.0.1:3000', program.address),
    folder,
  );
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
const title = 'the commands of the tour in README.md work and print what readers expect';
if (missingTools().length > 0) test.skip(title, printsExpectedOutput);
else test(title, printsExpectedOutput);

test.run();
