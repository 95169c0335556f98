import type { IcmpMetadata } from '../../domain/check/types/icmp.ts';

/** Rounds to microseconds, the precision of the measurement. */
const rounded = (milliseconds: number): number => Math.round(milliseconds * 1_000) / 1_000;

/** Returns statistics of the round-trip times, in milliseconds. The values are null if there are no replies. */
export const latencyStats = (latencies: readonly number[]): IcmpMetadata['latency_stats'] => {
  if (latencies.length === 0) return { avg: null, min: null, max: null, stddev: null, latencies: [] };
  const average = latencies.reduce((sum, latency) => sum + latency, 0) / latencies.length;
  const variance = latencies.reduce((sum, latency) => sum + (latency - average) ** 2, 0) / latencies.length;
  return {
    avg: rounded(average),
    min: Math.min(...latencies),
    max: Math.max(...latencies),
    stddev: rounded(Math.sqrt(variance)),
    latencies: [...latencies],
  };
};

/** Returns the lost requests in percent, with two decimals. */
export const lossPercent = (sent: number, answered: number): number =>
  sent === 0 ? 100 : Math.round(((sent - answered) / sent) * 10_000) / 100;
