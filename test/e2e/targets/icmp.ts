import { linkFarHost } from '../far-network.ts';
import type { Target } from './target.ts';

const NEAR = '10.213.0.1';
const FAR = '10.213.0.2';

/** A host at the other end of a link, which is cut. Only in a network namespace of its own. */
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
