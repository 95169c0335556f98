import { spawnSync } from 'node:child_process';
import type { suite } from 'uvu';
import { hasOpenssl } from '../../probes/web/certificates.ts';
import { hasNginx } from '../nginx.ts';

const hasTool = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

type Kind = 'ssl' | 'dns' | 'icmp' | 'portscan';

/** Returns, for each check type, the missing programs that its target needs. */
const LACKS: Record<Kind, () => (string | false)[]> = {
  ssl: () => [!hasNginx() && 'nginx is not installed', !hasOpenssl() && 'openssl is not installed'],
  dns: () => [],
  icmp: () => [!hasTool('fping') && 'fping is not installed'],
  portscan: () => [!hasTool('nmap') && 'nmap is not installed'],
};

/**
 * Returns the kinds of targets that can be tested on this machine. For every other kind, prints a line that is counted
 * as a skipped test.
 *
 * @param lacking further reasons to skip a test, by kind
 */
export const kindsHere = <T extends { kind: Kind }>(
  test: ReturnType<typeof suite>,
  kinds: readonly T[],
  lacking: Partial<Record<Kind, string>> = {},
): T[] =>
  kinds.filter(({ kind }) => {
    const reasons = [...LACKS[kind](), lacking[kind]].filter((reason) => typeof reason === 'string');
    for (const reason of reasons) console.log(`skipped: ${reason}`);
    if (reasons.length > 0) test.skip(kind, () => undefined);
    return reasons.length === 0;
  });
