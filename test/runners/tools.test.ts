import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { abilityHere, lackingSentence } from '../../runners/tools.ts';

const tools = suite('the types that a machine can run');

const folder = mkdtempSync(join(tmpdir(), 'uptrail-tools-'));
tools.after(() => {
  rmSync(folder, { recursive: true });
});

const install = (program: string, mode = 0o755): void => {
  writeFileSync(join(folder, program), '#!/bin/sh\n');
  chmodSync(join(folder, program), mode);
};
const here = () => abilityHere(['web', 'icmp', 'dns'], `/nowhere::${folder}`);

tools('are those that need nothing, and those whose programs are found on the PATH', async () => {
  assert.equal(await here(), { types: ['web', 'dns'], lacking: [{ type: 'icmp', tools: ['fping'] }] });
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
  assert.equal((await abilityHere(['tcp', 'web'], '')).types, ['tcp', 'web']);
});

tools('are told with what they lack', () => {
  const sentence = "Checks of type icmp can't be run here: fping is not installed.";
  assert.is(lackingSentence({ type: 'icmp', tools: ['fping'] }), sentence);
  const both = "Checks of type icmp can't be run here: fping and ping are not installed.";
  assert.is(lackingSentence({ type: 'icmp', tools: ['fping', 'ping'] }), both);
});

tools.run();
