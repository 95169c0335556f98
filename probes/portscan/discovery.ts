/** The results of an nmap scan without service detection. */
export interface Discovery {
  /** the open ports, each with the service that usually uses it, or null */
  open: Map<number, string | null>;
  /** number of ports in each state (`closed`, `filtered`, `open|filtered`); empty if nmap gave up */
  states: Map<string, number>;
  /** nmap reached its time limit */
  gaveUp: boolean;
  /** number of scanned hosts; null until nmap has printed its final line */
  hosts: number | null;
}

/** Maximum length of an unfinished line that is stored, in characters. Relevant lines are shorter. */
const LONGEST_LINE = 1_000;

/** Parses the output of `nmap -v`: lines about open ports, printed during the scan, and the table at the end. */
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
      // The lines contain the protocol since nmap 7.92.
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
