import type { IcmpMetadata } from '../../../domain/check/types/icmp.ts';
import { table } from '../../../service/output.ts';
import type { Report } from './report.ts';

/** Formats an icmp run for a terminal: the target, the replies, and a bar for each reply. */
export const icmpReport: Report = ({ status, error_message, check_metadata }) => {
  const metadata = check_metadata as IcmpMetadata;
  const { original_host, resolved_ip, probe_count, probes_sent, packet_loss_percent, latency_stats } = metadata;
  const { avg, min, max, stddev, latencies } = latency_stats;
  const host = resolved_ip === null || resolved_ip === original_host ? '' : ` (${resolved_ip})`;
  const rows = [
    ['host', `${original_host}${host}`],
    ...(probes_sent < probe_count
      ? [['sent', `${probes_sent} of ${probe_count}${probes_sent > 0 ? ', as many as fit into the timeout' : ''}`]]
      : []),
    ...(probes_sent === 0
      ? []
      : [['answered', `${latencies.length} of ${probes_sent}, ${packet_loss_percent} % lost`]]),
    ...(avg === null || min === null || max === null || stddev === null
      ? []
      : [
          ['latency', `${avg} ms on average, ${min} to ${max} ms`],
          ['deviation', `${stddev} ms`],
          ...strips(latencies).map((strip, index) => [index === 0 ? 'answers' : '', strip]),
        ]),
  ];
  return [error_message === null ? status : `${status}: ${error_message}`, ...table(['', ''], rows).slice(1)];
};

const BARS = '▁▂▃▄▅▆▇█';
const PER_LINE = 50;

/** Draws a bar for each reply, in the order of the requests. The slowest reply has the highest bar. */
const strips = (latencies: readonly number[]): string[] => {
  const slowest = Math.max(...latencies);
  const bars = latencies.map((latency) => BARS[slowest === 0 ? 0 : Math.ceil((latency / slowest) * BARS.length) - 1]);
  return Array.from({ length: Math.ceil(bars.length / PER_LINE) }, (_, line) =>
    bars.slice(line * PER_LINE, (line + 1) * PER_LINE).join(''),
  );
};
