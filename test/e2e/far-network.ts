import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A host that the test does not close ends after this time. */
const LONGEST_S = 3_600;

/** A simulated host at the other end of a link, in its own network namespace. */
export interface FarHost {
  /** the beginning of a command line that runs a command on this host */
  commandPrefix: readonly string[];
  /** Runs `ip` on this host, to change its links, addresses or routes. */
  ip: (...words: string[]) => void;
  close: () => Promise<void>;
}

/** Opens a host without links. `pid` identifies the host's network namespace when a link is added. */
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
 * Opens a host and links it to the current network, which must be a namespace of the test.
 *
 * @param near addresses of this end, with prefix lengths: `10.213.0.1/30`
 * @param far addresses of the other end
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
    // `nodad` skips duplicate address detection, during which an IPv6 address can't be used for some seconds.
    for (const address of addresses) ip('address', 'add', address, 'dev', link, ...(isV6(address) ? ['nodad'] : []));
    ip('link', 'set', link, 'up');
  }
  return host;
};

const isV6 = (address: string): boolean => address.includes(':');
