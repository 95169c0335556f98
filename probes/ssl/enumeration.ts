import { ConnectFailed } from '../../network/connect.ts';
import { RunAborted, type RunContext } from '../engine/check-type.ts';
import { semaphoreNamed, withSemaphore } from '../engine/semaphore.ts';
import type { Dialer } from './dial.ts';
import type { ScanFacts } from './scan/facts.ts';
import { createScan } from './scan/scan.ts';
import { StartTlsFailed } from './starttls.ts';
import { vulnerabilitiesOf, type VulnerabilityTests } from './vulnerabilities/vulnerabilities.ts';
import { PROTOCOL_NAMES } from './wire/protocols.ts';

/** Facts that need many connections, so scheduled runs update them only once an hour. The facts are plain JSON. */
export interface Enumeration {
  scan: ScanFacts;
  /** null if the scan found no protocol to test */
  vulnerabilities: VulnerabilityTests | null;
  /** start of the enumeration, in milliseconds since 1970 */
  at: number;
}

export interface Enumerating {
  /** a dialer that has reached the server */
  dialer: Dialer;
  /** duration of the full handshake, in milliseconds; absent if there was none */
  took?: number;
  /** called with the results of the scan, before the tests for vulnerabilities start */
  afterScan: (scan: ScanFacts) => Promise<void>;
}

/** An enumeration, as returned to a run. */
export interface Enumerated extends Enumeration {
  /** whether later scheduled runs will try to complete this enumeration */
  isContinuedLater: boolean;
}

/** How long scheduled runs reuse an enumeration, in seconds. */
const KEPT = 3_600;

/**
 * Maximum number of consecutive scheduled runs that try to complete an enumeration. If all of them leave it incomplete,
 * the enumeration is considered impossible to complete.
 */
const TRIES = 3;
/**
 * How long the number of incomplete enumerations is stored, in seconds: the longest interval between runs of a check.
 */
const TRIED = 86_400;

/**
 * Maximum number of concurrent scans per process, each of a different target. Additional scans would only delay the
 * running scans.
 */
const SCANS_AT_ONCE = 32;

/**
 * Finds the protocols, ciphers and vulnerabilities of a server. Unless the run bypasses the cache, uses the results of
 * earlier runs and adds only what is missing. Runs for the same target wait for each other, so that the second
 * scheduled run can use the results of the first run. When time is up, returns what is known.
 *
 * @throws RunAborted, LocalFailure, errors of `afterScan`
 */
export const enumerate = async (enumerating: Enumerating, context: RunContext): Promise<Enumerated> => {
  const { dialer, afterScan } = enumerating;
  const { clock, signal } = context;
  const before = await recalled(dialer, context);
  if (before?.vulnerabilities) {
    await afterScan(before.scan);
    return { ...before, isContinuedLater: false };
  }
  const all = semaphoreNamed('scans of TLS servers');
  const ofTarget = semaphoreNamed(`scans of ${dialer.peers}`);
  let found: Enumeration;
  try {
    found = await withSemaphore(ofTarget, 1, signal, () =>
      withSemaphore(all, SCANS_AT_ONCE, signal, () => lookAt(enumerating, context)),
    );
  } catch (error) {
    if (error !== signal.reason || error instanceof RunAborted) throw error;
    // The run had to wait for other scans until its time was up.
    found = { at: clock.now(), scan: createScan(dialer, { clock }).facts(), vulnerabilities: null };
    await afterScan(found.scan);
  }
  return { ...found, isContinuedLater: await goesOn(dialer, found, context) };
};

const lookAt = async ({ dialer, took, afterScan }: Enumerating, context: RunContext): Promise<Enumeration> => {
  const { clock, memory } = context;
  // Another run may have finished the enumeration during the wait.
  const before = await recalled(dialer, context);
  const at = before?.at ?? clock.now();
  const scan = before?.scan ?? (await scanned(dialer, took, context));
  await afterScan(scan);
  const vulnerabilities = before?.vulnerabilities ?? (await tested(dialer, scan, context));
  const isWhole = vulnerabilities?.complete === true;
  if (scan.complete && supportsAnyProtocol(scan) && (!before || (isWhole && !before.vulnerabilities))) {
    // After the tests for vulnerabilities, the certificates are no longer needed. The results of interrupted tests are
    // not stored, so a later run repeats these tests.
    const kept: Enumeration = isWhole
      ? { at, scan: { ...scan, chains: [] }, vulnerabilities }
      : { at, scan, vulnerabilities: null };
    const age = Math.max(0, (clock.now() - at) / 1_000);
    memory.set(keyOf(dialer), kept, Math.max(1, KEPT - age));
  }
  return { scan, vulnerabilities, at };
};

/** Returns the results of earlier runs; undefined if there are none, or if the run bypasses the cache. */
const recalled = async (dialer: Dialer, { fresh, memory }: RunContext): Promise<Enumeration | undefined> =>
  fresh ? undefined : ((await memory.get(keyOf(dialer))) as Enumeration | undefined);

/**
 * Returns whether something is missing that a later run is likely to find. After {@link TRIES} incomplete enumerations,
 * the function assumes that later runs would not find it either.
 */
const goesOn = async (dialer: Dialer, found: Enumeration, { fresh, memory }: RunContext): Promise<boolean> => {
  if (fresh) return false;
  const key = `${keyOf(dialer)}\ntries`;
  if (found.scan.complete && found.vulnerabilities?.complete === true) {
    memory.set(key, 0, 1);
    return false;
  }
  const tries = Number((await memory.get(key)) ?? 0) + 1;
  memory.set(key, tries, TRIED);
  return tries < TRIES;
};

const keyOf = ({ target: { host, port, serverName, starttls }, address }: Dialer): string =>
  ['ssl', host, port, address?.address ?? '', starttls, serverName ?? ''].join('\n');

const scanned = async (dialer: Dialer, took: number | undefined, { clock, signal }: RunContext): Promise<ScanFacts> => {
  const scan = createScan(dialer, { clock, ...(took !== undefined && { took }) });
  try {
    await scan.run();
  } catch (error) {
    const isTargets = error instanceof ConnectFailed || error instanceof StartTlsFailed;
    if (!isTargets && (error !== signal.reason || error instanceof RunAborted)) throw error;
  }
  return scan.facts();
};

/** Tests for vulnerabilities. When time is up, returns a result that says so. */
const tested = async (dialer: Dialer, scan: ScanFacts, context: RunContext): Promise<VulnerabilityTests | null> => {
  if (!supportsAnyProtocol(scan)) return null;
  const vulnerabilities = await vulnerabilitiesOf(dialer, scan, context);
  if (context.signal.reason instanceof RunAborted) throw context.signal.reason;
  return vulnerabilities;
};

/** Returns whether the server supports any of the protocols. */
export const supportsAnyProtocol = ({ protocols }: ScanFacts): boolean =>
  PROTOCOL_NAMES.some((name) => protocols[name].supported);
