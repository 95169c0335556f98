import type { PortscanParameters } from '../../domain/check/types/portscan.ts';
import { DEFAULT_HOST_TIMEOUT, hostTimeoutMs } from '../../domain/check/types/portscan-times.ts';
import { allowedAddresses } from '../../network/open-connection.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import type { Address } from '../../network/resolve.ts';
import { whyNoRoute } from '../../network/route.ts';
import type { Outcome, RunContext, RunnableCheck } from '../engine/check-type.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';
import { semaphoreNamed, withSemaphore } from '../engine/semaphore.ts';
import { runTool, type ToolEnd } from '../engine/tool.ts';
import { withTimeout } from '../engine/with-timeout.ts';
import { discoveryArguments, serviceDetectionArguments, type ScanMethod } from './nmap-arguments.ts';
import { readDiscovery, type Discovery } from './discovery.ts';
import { describeEnd, lacksRights, lastErrorLine } from './nmap-end.ts';
import { judgePortscan } from './judge.ts';
import { metadataOf } from './metadata.ts';
import { unrecognisedPort, type OpenPort } from './ports.ts';
import { readReport } from './report.ts';
import { excludedPorts, excludedPortsSentence } from './excluded-ports.ts';
import { vulnerabilitiesOf } from './vulnerabilities.ts';

/** Maximum number of ports whose services are detected: a command line can't name all 65,535 ports. */
const MOST_SERVICES = 1_000;

/** How long the fact that raw sockets are not permitted is cached, in seconds. */
const REMEMBERED = 3_600;
const NO_RAW_SOCKETS = 'portscan: no raw sockets';

/** Maximum number of concurrent scans per process. nmap takes up to 50 MiB of memory while it detects services. */
const AT_ONCE = 8;
const scans = semaphoreNamed('portscan');

/**
 * Scans the ports of one address with nmap, in up to three calls. The first call finds the open ports, which are read
 * while nmap is running. The second call scans those expected ports again that were not open. The third call detects
 * services. The detection of services is a separate call, because nmap prints no results of a call that exceeds its
 * time limit, and the results of the earlier calls must not be lost.
 */
export const runPortscan = (check: RunnableCheck, context: RunContext): Promise<Outcome> => {
  const parameters = check.parameters as PortscanParameters;
  const { service_detection: detecting = true, assertions = {}, host_timeout = DEFAULT_HOST_TIMEOUT } = parameters;
  const { expected_open_ports: expected = [] } = assertions;
  const target = (check.host ?? '').replace(/^\[(.*)\]$/, '$1');
  const protocol = parameters.scan_type === 'udp' ? 'udp' : 'tcp';
  const limit = hostTimeoutMs(parameters);
  const { clock, memory } = context;
  const started = clock.monotonic();
  const timeLeft = (): number => limit - (clock.monotonic() - started);

  let address: string | null = null;
  let begun = false;
  /** ports that are not scanned */
  let except: readonly number[] = [];
  let discovery: Discovery = readDiscovery().found;
  /** whether every port was scanned, so that only services may be missing */
  let whole = false;
  const open = new Map<number, OpenPort>();
  const states = new Map<number, string>();
  const notes: string[] = [];

  const outcome = (failure: ProbeFailure | null, vulnerabilities = vulnerabilitiesOf([], 0)): Outcome => {
    const answered = open.size > 0 || discovery.states.has('closed') || [...states.values()].includes('closed');
    if (whole && !answered && address !== null)
      notes.push(`No port of ${address} answered: the host is down, or a firewall drops packets to these ports.`);
    const found = { target, address, answered, open: [...open.values()], vulnerabilities, notes };
    return {
      status: failure?.status ?? 'ok',
      reason: failure?.reason ?? null,
      response_time: null,
      error_message: failure?.message ?? null,
      check_metadata: metadataOf({ ...found, took: clock.monotonic() - started }),
    };
  };

  /** Evaluates the results by the check's assertions. */
  const verdict = (): Outcome => {
    const vulnerabilities = vulnerabilitiesOf([...open.values()], clock.now());
    const found = { open: new Set(open.keys()), states, vulnerabilities, whole };
    return outcome(judgePortscan(found, parameters), vulnerabilities);
  };

  const call = async (way: ScanMethod, to: string, { signal }: RunContext): Promise<ToolEnd> => {
    const reader = readDiscovery();
    discovery = reader.found;
    const scan = { address: to, excludedPorts: except, method: way, parameters, timeLeft: timeLeft() };
    return runTool('nmap', discoveryArguments(scan), { signal, onOutput: reader.feed });
  };

  /** Makes the first call of nmap. Uses a connect scan if a SYN scan is not permitted. Returns the scan method. */
  const findPorts = async (to: string, limited: RunContext): Promise<ScanMethod> => {
    const { scan_type: wanted = 'syn' } = parameters;
    const allowed = wanted === 'connect' || (await memory.get(NO_RAW_SOCKETS)) !== true;
    let end = allowed ? await call(wanted, to, limited) : null;
    if (wanted !== 'connect' && end && lacksRights(end)) {
      memory.set(NO_RAW_SOCKETS, true, REMEMBERED);
      end = null;
    }
    if (!end && wanted === 'udp')
      throw new ProbeFailure(
        'failed',
        'rights',
        'UDP scans need raw sockets, which this runner may not open: it lacks the capability NET_RAW.',
      );
    const way = end ? wanted : 'connect';
    if (!end) {
      notes.push('SYN scans need raw sockets, which this runner may not open, so it made full connections instead.');
      end = await call(way, to, limited);
    }
    if (end.stderr.includes('failed to determine route')) throw noRoute(to);
    if (end.code !== 0) throw new LocalFailure(`${describeEnd(end)}.`);
    if (discovery.hosts === null) throw new LocalFailure('nmap ended before its report was complete.');
    if (discovery.hosts === 0) throw new LocalFailure(`nmap scanned nothing: ${lastErrorLine(end)}.`);
    return way;
  };

  const takeOver = (): void => {
    for (const [port, service] of discovery.open) open.set(port, unrecognisedPort(port, protocol, service));
  };

  /** Detects the states and services of some ports. @returns a sentence that says what went wrong, or null */
  const look = async (
    { way, to, signal }: { way: ScanMethod; to: string; signal: AbortSignal },
    ports: readonly number[],
    services: boolean,
  ): Promise<string | null> => {
    const reader = readReport(({ state, ...port }) => {
      if (state === 'open') open.set(port.port, { ...port, protocol });
      else states.set(port.port, state);
    });
    const scan = { address: to, excludedPorts: except, method: way, parameters, timeLeft: timeLeft() };
    const end = await runTool('nmap', serviceDetectionArguments(scan, ports, services), {
      signal,
      onOutput: reader.feed,
    });
    if (reader.report.gaveUp) return cutOff();
    const what = services ? 'services' : 'expected ports';
    if (end.code !== 0) return `${describeEnd(end)} before it had looked at all ${what}.`;
    return reader.report.complete ? null : `nmap ended before its report on the ${what} was complete.`;
  };

  /** Scans those expected ports again that were not open. Over UDP, some services respond only to service detection. */
  const lookAgain = async (at: Parameters<typeof look>[0]): Promise<void> => {
    const missing = expected.filter((port) => !open.has(port));
    if (missing.length === 0) return;
    whole = false;
    const trouble = await look(at, [...new Set(missing)], detecting && at.way === 'udp');
    if (trouble === null) whole = true;
    else notes.push(trouble);
  };

  const lookAtServices = async (at: Parameters<typeof look>[0]): Promise<void> => {
    const serving = [...open.keys()].sort((a, b) => a - b).slice(0, MOST_SERVICES);
    if (!detecting || serving.length === 0) return;
    if (serving.length < open.size) notes.push(`Services were detected only on the first ${MOST_SERVICES} open ports.`);
    const trouble = await look(at, serving, true);
    if (trouble !== null) notes.push(trouble);
  };

  const cutOff = (): string =>
    whole
      ? `The scan was cut off after ${host_timeout}: the open ports are known, but not all services on them.`
      : `The scan was cut off after ${host_timeout}, before all ports had been scanned.`;

  const attempt = async (limited: RunContext): Promise<Outcome> => {
    const addresses = await allowedAddresses(target, null, limited);
    // nmap's connect scan reports a missing route like a host that does not respond, so the route is checked first.
    const chosen = await firstWithRoute(addresses);
    if (!chosen) throw noRoute(addresses.length === 1 ? addresses[0].address : `any address of ${target}`);
    const to = chosen.address;
    except = excludedPorts(target, to, parameters, limited.policy);
    address = to;
    const without = excludedPortsSentence(except, to);
    if (without !== null) notes.push(without);
    if (addresses.length > 1) notes.push(`${target} has ${addresses.length} addresses; only ${to} was scanned.`);
    await withSemaphore(scans, AT_ONCE, limited.signal, async () => {
      begun = true;
      const way = await findPorts(to, limited);
      takeOver();
      whole = !discovery.gaveUp;
      if (!whole) {
        notes.push(cutOff());
        return;
      }
      const at = { way, to, signal: limited.signal };
      await lookAgain(at);
      await lookAtServices(at);
    });
    return verdict();
  };

  return withTimeout(limit / 1_000, context, attempt, {
    timedOut: () => new ProbeFailure('failed', 'timeout', `Timed out after ${host_timeout} looking up ${target}.`),
    outcome: (failure) => {
      // A scan never reports that its target is down, so the status is `failed` instead.
      if (failure.reason !== 'timeout' || address === null) {
        // Nothing was scanned.
        address = null;
        return outcome(new ProbeFailure('failed', failure.reason, failure.message, { cause: failure }));
      }
      if (!begun) throw new LocalFailure(`The scan waited for other scans of this runner for ${host_timeout}.`);
      if (!whole) takeOver();
      notes.push(cutOff());
      return verdict();
    },
  });
};

const firstWithRoute = async (addresses: readonly Address[]): Promise<Address | null> => {
  for (const address of addresses) if ((await whyNoRoute(address)) === null) return address;
  return null;
};

const noRoute = (to: string): ProbeFailure =>
  new ProbeFailure('failed', 'connect', `There is no route from this runner to ${to}.`);
