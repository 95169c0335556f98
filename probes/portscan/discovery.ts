/** What nmap says about a host without looking at its services. */
export interface Discovery {
  /** the service that usually has the port, or null */
  open: Map<number, string | null>;
  /** how many ports are in each state (`closed`, `filtered`, `open|filtered`); none if nmap gave up */
  states: Map<string, number>;
  /** it ran out of time */
  gaveUp: boolean;
  /** hosts that it scanned; null before its last line */
  hosts: number | null;
}

/** No line that matters is longer, characters. */
const LONGEST_LINE = 1_000;

/** Reads what `nmap -v` prints: ports that are open at once, and the table when the scan is done. */
export const readDiscovery = () => {
  const found: Discovery = { open: new Map(), states: new Map(), gaveUp: false, hosts: null };
  let rest = '';

  const count = (state: string, ports: number): void => {
    found.states.set(state, (found.states.get(state) ?? 0) + ports);
  };

  const readLine = (line: string): void => {
    const [, live] = /^Discovered open port (\d{1,5})\/(?:tcp|udp) on /.exec(line) ?? [];
    if (live !== undefined) found.open.set(Number(live), found.open.get(Number(live)) ?? null);
    const [, port, state, name = 'unknown'] =
      /^(\d{1,5})\/(?:tcp|udp)\s+([a-z|]+)(?:\s+([\w.:-]{1,64}))?/.exec(line) ?? [];
    if (port !== undefined && state !== undefined) {
      count(state, 1);
      if (state === 'open') found.open.set(Number(port), name === 'unknown' ? null : name);
    }
    if (line.startsWith('Not shown: '))
      // nmap names the protocol there since 7.92.
      for (const [, ports, hidden = ''] of line.matchAll(/(\d+) ([a-z|]+) (?:(?:tcp|udp) )?ports?/g))
        count(hidden, Number(ports));
    if (line.startsWith('Skipping host ') && line.includes('due to host timeout')) found.gaveUp = true;
    const [, hosts] = /^Nmap done: \d+ IP address(?:es)? \((\d+) hosts? up\)/.exec(line) ?? [];
    if (hosts !== undefined) found.hosts = Number(hosts);
  };

  return {
    found,
    feed: (text: string): void => {
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
      lines.forEach(readLine);
    },
  };
};
