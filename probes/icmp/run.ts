import type { IcmpMetadata, IcmpParameters } from '../../domain/check/types/icmp.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import type { Address } from '../../network/resolve.ts';
import { whyNoRoute } from '../../network/route.ts';
import type { Outcome, Run, RunContext } from '../engine/check-type.ts';
import { timeoutFailure } from '../engine/connection-failure.ts';
import type { ProbeFailure } from '../engine/probe-failure.ts';
import { runTool } from '../engine/tool.ts';
import { withTimeout } from '../engine/with-timeout.ts';
import { addressFor } from './address.ts';
import type { IcmpError } from './fping.ts';
import { latencyStats, lossPercent } from './latency.ts';
import { createPing, type Ping } from './ping.ts';
import { planOf, type PingPlan } from './plan.ts';
import { lostTooMany, noAnswer, noRoute } from './sentences.ts';

/**
 * Creates a run that pings one address of a host.
 *
 * @param ping is shared by all runs
 */
export const createRunIcmp =
  (ping: Ping): Run =>
  (check, context) => {
    const {
      probe_count = 4,
      probe_interval = 1,
      probe_timeout = 1,
      ...parameters
    } = check.parameters as IcmpParameters;
    const host = (check.host ?? '').replace(/^\[(.*)\]$/, '$1');
    const begun = context.clock.monotonic();
    let address: Address | null = null;
    /** latencies by index of the request, in milliseconds; null if the request was lost */
    const fates = new Map<number, number | null>();
    let refusal: IcmpError | null = null;

    const latencies = (): number[] =>
      [...fates].sort(([one], [other]) => one - other).flatMap(([, latency]) => (latency === null ? [] : [latency]));

    const outcome = (failure: ProbeFailure | null): Outcome => {
      const latency_stats = latencyStats(latencies());
      const check_metadata: IcmpMetadata = {
        original_host: host,
        resolved_ip: address?.address ?? null,
        ip_version_used: address && (address.family === 4 ? 'v4' : 'v6'),
        probe_count,
        probes_sent: fates.size,
        probe_interval,
        probe_timeout,
        packet_loss_percent: lossPercent(fates.size, latency_stats.latencies.length),
        latency_stats,
      };
      return {
        status: failure?.status ?? 'ok',
        reason: failure?.reason ?? null,
        response_time: latency_stats.avg === null ? null : Math.round(latency_stats.avg),
        error_message: failure?.message ?? null,
        check_metadata,
      };
    };

    /** Evaluates the requests that were answered or lost so far. */
    const verdict = (to: Address, plan: PingPlan): ProbeFailure | null => {
      const [sent, received] = [fates.size, latencies().length];
      const facts = { host, address: to.address, sent, received, requested: probe_count };
      if (received === 0) return noAnswer(facts, plan.timeout, refusal);
      const loss = lossPercent(sent, received);
      const limit = parameters.assertions?.max_packet_loss ?? 100;
      return loss > limit ? lostTooMany(facts, loss, limit) : null;
    };

    const timedOut = (): ProbeFailure => timeoutFailure(check.timeout, 'lookup', host, 0);

    const attempt = async (limited: RunContext): Promise<Outcome> => {
      const { clock, signal } = limited;
      const to = await addressFor(host, parameters.ip_version ?? 'auto', limited);
      address = to;
      const code = await whyNoRoute(to);
      if (code !== null) throw noRoute(host, to.address, code);
      const wanted = { count: probe_count, interval: probe_interval, timeout: probe_timeout };
      const plan = planOf(wanted, check.timeout * 1_000 - (clock.monotonic() - begun));
      if (!plan) throw timedOut();
      try {
        await ping(to, plan, {
          clock,
          signal,
          onProbed: ({ probe, latency }) => {
            fates.set(probe, latency);
          },
          onRefusal: (latest) => {
            refusal = latest;
          },
        });
      } catch (error) {
        // The run timed out: the machine is busy, or the timeout is short. Only requests with a known outcome count.
        const isLate = signal.aborted && !context.signal.aborted;
        if (!isLate) throw error;
        if (fates.size === 0) throw new LocalFailure('fping did not run in time.');
      }
      return outcome(verdict(to, plan));
    };

    return withTimeout(check.timeout, context, attempt, { timedOut, outcome });
  };

export const runIcmp = createRunIcmp(createPing(runTool));
