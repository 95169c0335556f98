import { durationIn, flagIn, mappingIn, requiredTextIn, textIn } from '../mapping/fields.ts';
import type { Mapping } from '../read-yaml.ts';
import type { Probe, Probed, ProbedTarget } from './module.ts';
import { dnsProbe } from './probers/dns.ts';
import { httpProbe } from './probers/http.ts';
import { icmpProbe } from './probers/icmp.ts';
import { grpcProbe, tcpProbe } from './probers/tcp.ts';

const PROBERS: Readonly<Record<string, (probe: Probe) => Probed | null>> = {
  http: httpProbe,
  tcp: tcpProbe,
  icmp: icmpProbe,
  dns: dnsProbe,
  grpc: grpcProbe,
};

/** Modules of the configuration that the exporter is delivered with. They count if no file defines modules. */
export const DELIVERED_MODULES: Mapping = {
  http_2xx: { prober: 'http' },
  http_post_2xx: { prober: 'http', http: { method: 'POST' } },
  tcp_connect: { prober: 'tcp' },
  ssh_banner: { prober: 'tcp', tcp: { query_response: [{ expect: 'SSH-2.0-' }] } },
  icmp: { prober: 'icmp' },
  grpc: { prober: 'grpc', grpc: { tls: 'true' } },
  grpc_plain: { prober: 'grpc', grpc: { tls: 'false' } },
};

/** Returns the timeout of a module in seconds; null without one. */
export const timeoutOf = (module: Mapping): number | null => durationIn(module, 'timeout') || null;

/**
 * Converts a target that a module probes to the fields of a check.
 *
 * @param notes add sentences about the module and about the target
 * @returns null if the target is left out
 */
export const convertTarget = (
  module: Mapping,
  target: ProbedTarget,
  notes: Pick<Probe, 'note' | 'noteTarget'>,
): Probed | null => {
  const prober = requiredTextIn(module, 'prober');
  const convert = PROBERS[prober];
  if (!convert) {
    notes.note(
      `has the prober "${prober}", which has no equivalent; a heartbeat can watch a job that tests the target.`,
    );
    return null;
  }
  const settings = mappingIn(module, prober) ?? {};
  if (textIn(settings, 'source_ip_address') !== undefined)
    notes.note(
      'sets the source address; checks use that of the runner. A remote runner on that machine uses its address.',
    );
  if (prober !== 'icmp' && flagIn(settings, 'ip_protocol_fallback') === false)
    notes.note('requires a version of IP, which only icmp checks can; use an address instead of the name.');
  return convert({ ...target, settings, ...notes });
};
