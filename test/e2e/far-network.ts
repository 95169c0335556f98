import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Hosts that are not closed end after this time. */
const LONGEST_S = 3_600;

/** A host at the other end of a link, in a network namespace of its own. */
export interface FarHost {
  /** the words before a command that should run there */
  commandPrefix: readonly string[];
  /** Changes its link, addresses or routes. */
  ip: (...words: string[]) => void;
  close: () => Promise<void>;
}

/** A host without any link yet, and the id of its process, by which links find it. */
export const openHost = async (): Promise<FarHost & { pid: number }> => {
  const host = spawn('unshare', ['--net', 'sh', '-c', `ip link set lo up; echo && exec sleep ${LONGEST_S}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(host.stdout, 'data');
  const there = ['nsenter', '--net', '--target', String(host.pid)] as const;
  return {
    pid: host.pid ?? 0,
    commandPrefix: there,
    ip: (...words) => {
      const [program, ...before] = there;
      execFileSync(program, [...before, 'ip', ...words]);
    },
    close: async () => {
      const ended = once(host, 'exit');
      host.kill('SIGKILL');
      await ended;
    },
  };
};

/**
 * Links a host to this network, which must be one of this test's own.
 *
 * @param near addresses of this end, with the length of their prefix: `10.213.0.1/30`
 * @param far those of the other end
 */
export const linkFarHost = async (near: readonly string[], far: readonly string[]): Promise<FarHost> => {
  const { pid, ...host } = await openHost();
  const ipHere = (...words: string[]): void => {
    execFileSync('ip', words);
  };
  ipHere('link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far', 'netns', String(pid));
  for (const [ip, link, addresses] of [
    [ipHere, 'near', near],
    [host.ip, 'far', far],
  ] as const) {
    // Otherwise an IPv6 address could not be used for seconds, during the system's duplicate address detection.
    for (const address of addresses) ip('address', 'add', address, 'dev', link, ...(isV6(address) ? ['nodad'] : []));
    ip('link', 'set', link, 'up');
  }
  return host;
};

const isV6 = (address: string): boolean => address.includes(':');
