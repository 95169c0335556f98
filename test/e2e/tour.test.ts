import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { endPrograms, placeOf, PROGRAM, serve } from './program.ts';
import { inProject } from '../project.ts';

const isInstalled = (tool: string): boolean => {
  try {
    execFileSync('bash', ['-c', `command -v ${tool}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const readme = readFileSync(inProject('README.md'), 'utf8');
const tour = /<!-- tour -->(.*)<!-- \/tour -->/s.exec(readme)?.[1] ?? '';
const commands = [...tour.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');

/** A tour that waits for what does not come is ended, and shows how far it came. */
const PATIENCE_MS = 90_000;

/** Runs the tour in a folder as a person would, who has the service running there. */
const walk = async (folder: string, address: string): Promise<string> => {
  const place = await placeOf({ DATA_DIR: `${folder}/data` });
  return new Promise((resolve, reject) => {
    const bin = `${folder}/bin`;
    mkdirSync(bin);
    // `npx uptrail …` is this very program.
    const shim = `#!/bin/sh\nshift\ncd "${process.cwd()}" && DATA_DIR="${folder}/data" exec "${process.execPath}" ${PROGRAM.join(' ')} "$@"\n`;
    writeFileSync(`${bin}/npx`, shim);
    chmodSync(`${bin}/npx`, 0o755);
    const script = commands.replaceAll('http://127.0.0.1:3000', address);
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...process.env, ...place, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const patience = setTimeout(() => shell.kill('SIGKILL'), PATIENCE_MS);
    shell.on('close', (code) => {
      clearTimeout(patience);
      if (code === 0) resolve(output);
      else reject(new Error(`The tour ended with ${String(code)}:\n${output}`));
    });
  });
};

const test = suite('the tour of the README');
test.after.each(endPrograms);

const missing = ['bash', 'curl', 'jq'].filter((tool) => !isInstalled(tool));
for (const tool of missing) console.log(`skipped: ${tool} is not installed`);

const worksToTheLetter = inTemporaryFolder(async (folder) => {
  const program = await serve({ DATA_DIR: `${folder}/data` });
  const output = await walk(folder, program.address);
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
if (missing.length > 0) test.skip('works to the letter', worksToTheLetter);
else test('works to the letter', worksToTheLetter);

test.run();
