import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Target } from './target.ts';

const NEAR = '10.213.0.1/30';
const FAR = '10.213.0.2';

/** A host at the other end of a link, which is cut. Only in a network namespace of its own. */
export const icmpTarget = async (): Promise<Target> => {
  const ip = (...words: string[]): void => {
    execFileSync('ip', words);
  };
  const host = spawn('unshare', ['--net', 'sh', '-c', 'echo && exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(host.stdout, 'data');
  const far = (...words: string[]): void => {
    execFileSync('nsenter', ['--net', '--target', String(host.pid), 'ip', ...words]);
  };
  ip('link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far', 'netns', String(host.pid));
  ip('address', 'add', NEAR, 'dev', 'near');
  ip('link', 'set', 'near', 'up');
  far('address', 'add', `${FAR}/30`, 'dev', 'far');
  far('link', 'set', 'far', 'up');
  return {
    definition: {
      name: 'Link',
      type: 'icmp',
      host: FAR,
      parameters: { probe_count: 3, probe_interval: 0.1, probe_timeout: 0.5 },
    },
    broken: { status: 'down', sentence: new RegExp(FAR.replaceAll('.', '\\.')) },
    break: async () => {
      far('link', 'set', 'far', 'down');
    },
    mend: async () => {
      far('link', 'set', 'far', 'up');
    },
    close: async () => {
      const ended = once(host, 'exit');
      host.kill('SIGKILL');
      await ended;
    },
  };
};
