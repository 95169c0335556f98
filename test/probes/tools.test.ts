import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findAvailableTypes, unavailableSentence } from '../../probes/tools.ts';

const tools = suite('check types that a machine can run');

const folder = mkdtempSync(join(tmpdir(), 'uptrail-tools-'));
tools.after(() => {
  rmSync(folder, { recursive: true });
});

const install = (program: string, mode = 0o755): void => {
  writeFileSync(join(folder, program), '#!/bin/sh\n');
  chmodSync(join(folder, program), mode);
};
const here = () => findAvailableTypes(['web', 'icmp', 'dns'], { path: `/nowhere::${folder}`, rights: new Map() });

tools('check types can run if they need no tools, or if all their tools are in the PATH', async () => {
  assert.equal(await here(), {
    types: ['web', 'dns'],
    unavailable: [{ type: 'icmp', tools: ['fping'], rights: null }],
  });
  install('fping');
  assert.equal(await here(), { types: ['web', 'icmp', 'dns'], unavailable: [] });
});

tools('check types whose tools can’t be started can’t run', async () => {
  install('fping', 0o644);
  assert.equal((await here()).types, ['web', 'dns']);
  rmSync(join(folder, 'fping'));
  mkdirSync(join(folder, 'fping'));
  assert.equal((await here()).types, ['web', 'dns']);
});

tools('the available check types are returned in the requested order', async () => {
  assert.equal((await findAvailableTypes(['tcp', 'web'], { path: '' })).types, ['tcp', 'web']);
});

tools(
  'check types without the required permissions can’t run, and permissions are tested only if the tools are installed',
  async () => {
    rmSync(join(folder, 'fping'), { recursive: true });
    install('fping');
    let requested = 0;
    const ask = (answer: string | null) => {
      const rights = new Map([['icmp', async () => (requested++, answer)]]);
      return findAvailableTypes(['web', 'icmp'], { path: folder, rights });
    };
    assert.equal((await ask(null)).types, ['web', 'icmp']);
    const unavailable = [{ type: 'icmp', tools: [], rights: 'fping may not.' }];
    assert.equal(await ask('fping may not.'), { types: ['web'], unavailable });
    rmSync(join(folder, 'fping'));
    assert.equal((await ask('fping may not.')).unavailable, [{ type: 'icmp', tools: ['fping'], rights: null }]);
    assert.is(requested, 2);
  },
);

tools('unavailable check types are reported with what is missing', () => {
  const sentenceAbout = (tools: string[], rights: string | null = null) =>
    unavailableSentence({ type: 'icmp', tools, rights });
  assert.is(sentenceAbout(['fping']), "Checks of type icmp can't be run here: fping is not installed.");
  assert.is(
    sentenceAbout(['fping', 'ping']),
    "Checks of type icmp can't be run here: fping and ping are not installed.",
  );
  assert.is(sentenceAbout([], 'fping may not.'), "Checks of type icmp can't be run here: fping may not.");
});

tools.run();
