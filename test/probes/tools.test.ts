import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { abilityHere, lackingSentence } from '../../probes/tools.ts';

const tools = suite('the types that a machine can run');

const folder = mkdtempSync(join(tmpdir(), 'uptrail-tools-'));
tools.after(() => {
  rmSync(folder, { recursive: true });
});

const install = (program: string, mode = 0o755): void => {
  writeFileSync(join(folder, program), '#!/bin/sh\n');
  chmodSync(join(folder, program), mode);
};
const here = () => abilityHere(['web', 'icmp', 'dns'], { path: `/nowhere::${folder}`, rights: new Map() });

tools('are those that need nothing, and those whose programs are found on the PATH', async () => {
  assert.equal(await here(), { types: ['web', 'dns'], lacking: [{ type: 'icmp', tools: ['fping'], rights: null }] });
  install('fping');
  assert.equal(await here(), { types: ['web', 'icmp', 'dns'], lacking: [] });
});

tools('are not those whose programs can not be started', async () => {
  install('fping', 0o644);
  assert.equal((await here()).types, ['web', 'dns']);
  rmSync(join(folder, 'fping'));
  mkdirSync(join(folder, 'fping'));
  assert.equal((await here()).types, ['web', 'dns']);
});

tools('keep the order in which they are asked for', async () => {
  assert.equal((await abilityHere(['tcp', 'web'], { path: '' })).types, ['tcp', 'web']);
});

tools('are not those that this process has no right to run, which is asked of those with tools alone', async () => {
  rmSync(join(folder, 'fping'), { recursive: true });
  install('fping');
  let asked = 0;
  const ask = (answer: string | null) => {
    const rights = new Map([['icmp', async () => (asked++, answer)]]);
    return abilityHere(['web', 'icmp'], { path: folder, rights });
  };
  assert.equal((await ask(null)).types, ['web', 'icmp']);
  const lacking = [{ type: 'icmp', tools: [], rights: 'fping may not.' }];
  assert.equal(await ask('fping may not.'), { types: ['web'], lacking });
  rmSync(join(folder, 'fping'));
  assert.equal((await ask('fping may not.')).lacking, [{ type: 'icmp', tools: ['fping'], rights: null }]);
  assert.is(asked, 2);
});

tools('are told with what they lack', () => {
  const told = (tools: string[], rights: string | null = null) => lackingSentence({ type: 'icmp', tools, rights });
  assert.is(told(['fping']), "Checks of type icmp can't be run here: fping is not installed.");
  assert.is(told(['fping', 'ping']), "Checks of type icmp can't be run here: fping and ping are not installed.");
  assert.is(told([], 'fping may not.'), "Checks of type icmp can't be run here: fping may not.");
});

tools.run();
