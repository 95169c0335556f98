import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LocalFailure } from '../../../network/local-failure.ts';
import { runTool } from '../../../probes/engine/tool.ts';
import { rejects } from '../../rejects.ts';
import { compiled } from '../../project.ts';
import { eventually } from '../../waiting.ts';

const tool = suite('running a system program');
const never = new AbortController().signal;

const output = async (program: string, args: readonly string[], signal = never) => {
  let stdout = '';
  let errors = '';
  const end = await runTool(program, args, {
    signal,
    onOutput: (text) => (stdout += text),
    onErrorOutput: (text) => (errors += text),
  });
  assert.is(errors, end.stderr);
  return { stdout, ...end };
};

tool('running a system program returns its output and how it ended', async () => {
  assert.equal(await output('sh', ['-c', 'printf ä; echo why >&2; exit 3']), {
    stdout: 'ä',
    code: 3,
    signal: null,
    stderr: 'why\n',
  });
});

tool('a system program gets only PATH from the environment', async () => {
  process.env['A_SECRET'] = 'hunter2';
  const { stdout } = await output('env', []);
  delete process.env['A_SECRET'];
  const seen = stdout.split('\n').filter((line) => line !== '');
  assert.equal(seen.sort(), ['LC_ALL=C', `PATH=${process.env['PATH'] ?? ''}`]);
});

tool('a system program is killed when its run ends', async () => {
  const ending = new AbortController();
  let pid = 0;
  const running = runTool('sh', ['-c', 'echo $$; exec sleep 100'], {
    signal: ending.signal,
    onOutput: (text) => {
      pid = Number(text);
      ending.abort(new Error('enough'));
    },
  });
  await rejects(running, Error, 'enough');
  assert.throws(() => process.kill(pid, 0), /ESRCH/);
});

tool('a missing system program is reported as a failure of the runner', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = '/nowhere';
  try {
    await rejects(output('fping', []), LocalFailure, "fping can't be started: spawn fping ENOENT.");
  } finally {
    process.env['PATH'] = path;
  }
});

tool('a system program ends with the process that started it, no matter how that process ends', async () => {
  const script = `
    const { runTool } = await import(${JSON.stringify(compiled('probes/engine/tool.ts'))});
    const args = ['-c', 'echo $$; exec sleep 100'];
    await runTool('sh', args, { signal: new AbortController().signal, onOutput: (text) => process.stdout.write(text) });
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const gone = once(parent, 'exit');
  parent.kill('SIGKILL');
  await gone;
  const runs = (): boolean => {
    try {
      return process.kill(Number(text.toString()), 0);
    } catch {
      return false;
    }
  };
  await eventually(() => !runs(), { what: 'the tool has ended' });
});

tool.run();
