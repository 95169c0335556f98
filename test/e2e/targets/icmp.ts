import { linkFarHost } from '../far-network.ts';
import type { Target } from './target.ts';

const NEAR = '10.213.0.1';
const FAR = '10.213.0.2';

/**
 * Opens a host at the other end of a link. To break the target, the link is cut. Requires a network namespace of the
 * test.
 */
export const icmpTarget = async (): Promise<Target> => {
  const host = await linkFarHost([`${NEAR}/30`], [`${FAR}/30`]);
  return {
    definition: {
      name: 'Link',
      type: 'icmp',
      host: FAR,
      parameters: { probe_count: 3, probe_interval: 0.1, probe_timeout: 0.5 },
    },
    broken: { status: 'down', sentence: new RegExp(FAR.replaceAll('.', '\\.')) },
    break: async () => {
      host.ip('link', 'set', 'far', 'down');
    },
    mend: async () => {
      host.ip('link', 'set', 'far', 'up');
    },
    close: host.close,
  };
};
