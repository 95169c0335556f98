import { flagIn, textIn } from '../../mapping/fields.ts';
import type { Probe, Probed } from '../module.ts';

/** Converts a target of the icmp prober to an icmp check. */
export const icmpProbe = ({ settings, target, note }: Probe): Probed => {
  if (['payload_size', 'dont_fragment', 'ttl'].some((key) => settings[key] !== undefined))
    note('sets the size, fragmentation or time to live of its packets, which icmp checks do not.');
  const isFixed = flagIn(settings, 'ip_protocol_fallback') === false;
  const preferred = textIn(settings, 'preferred_ip_protocol') ?? 'ip6';
  const version = preferred === 'ip4' ? 'v4' : isFixed ? 'v6' : 'auto';
  return { type: 'icmp', host: target, parameters: version === 'auto' ? {} : { ip_version: version } };
};
