import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { whyNoSandbox } from '../../probes/script/sandbox/why-no-sandbox.ts';
import { inProject } from '../project.ts';
import { freePort } from '../servers/ports.ts';
import { blocksOf, patternOf, tidied, type GuideBlock } from './guide-blocks.ts';
import { endPrograms, serve, type RunningProgram } from './program.ts';
import { missingTools, runCommands } from './document-commands.ts';

const test = suite('the guide in docs/guide');

const FOLDER = 'docs/guide';
const textOf = (page: string): string => readFileSync(inProject(`${FOLDER}/${page}`), 'utf8');

const PAGES = readdirSync(inProject(FOLDER)).filter(
  (name) => name.endsWith('.md') && blocksOf(textOf(name)).length > 0,
);

/** Ports on which the guide's own servers listen. */
const PORTS = ['8080', '8081', '8082'];

/** Each block prints this character at its end, so that the outputs can be separated. */
const SEPARATOR = '\u001e';

let folder = '';
let program: RunningProgram;
test.before(async () => {
  folder = mkdtempSync(`${tmpdir()}/uptrail-`);
  program = await serve({ DATA_DIR: `${folder}/data` });
});
test.after(async () => {
  await program.end('SIGTERM');
  await endPrograms();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the blocks of a page, with the address of the service under test, and with free ports. */
const placedBlocksOf = async (page: string): Promise<GuideBlock[]> => {
  let text = textOf(page).replaceAll('http://127.0.0.1:3000', program.address);
  for (const port of PORTS) if (text.includes(port)) text = text.replaceAll(port, (await freePort()).toString());
  return blocksOf(text);
};

const outputsOf = async (blocks: readonly GuideBlock[]): Promise<string[]> => {
  const commands = blocks.map(({ commands }) => `${commands}\nprintf '${SEPARATOR}'`);
  const output = await runCommands(['exec 2>&1', ...commands].join('\n'), folder);
  return output.split(SEPARATOR).map(tidied);
};

const runsPage = (page: string) => async (): Promise<void> => {
  const blocks = await placedBlocksOf(page);
  const outputs = await outputsOf(blocks);
  for (const [index, { commands, output }] of blocks.entries()) {
    const actual = outputs[index] ?? '';
    const expected = tidied(output);
    if (!patternOf(expected).test(actual)) assert.is(actual, expected, `The output of:\n${commands}`);
  }
};

test('the output of a block may differ from the document only in ids, times and measured values', () => {
  const shown = '{"id":"al21msta49pn","at":"2026-11-27T15:27:36.227000","count":3,"status":"up"}\n… 2 ms';
  const pattern = patternOf(shown);
  assert.ok(
    pattern.test('{"id":"zzzzzzzzzzzz","at":"2027-01-02T03:04:05.000001","count":12,"status":"up"}\nok in 17 ms'),
  );
  assert.not(pattern.test(shown.replace('"up"', '"down"')));
});

const noTools = missingTools().length > 0;
const noSandbox = await whyNoSandbox();
if (noSandbox !== null) console.log(`skipped: ${noSandbox}`);

for (const page of PAGES) {
  const title = `the commands of ${FOLDER}/${page} print what the page shows`;
  if (noTools || (page === 'scripts.md' && noSandbox !== null)) test.skip(title, runsPage(page));
  else test(title, runsPage(page));
}

test.run();
