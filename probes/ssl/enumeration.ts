import { ConnectFailed } from '../../network/connect.ts';
import { RunAborted, type RunContext } from '../engine/check-type.ts';
import { gateOf, inside } from '../engine/gate.ts';
import type { Dialer } from './dial.ts';
import type { ScanFacts } from './scan/facts.ts';
import { createScan } from './scan/scan.ts';
import { StartTlsFailed } from './starttls.ts';
import { vulnerabilitiesOf, type Tested } from './vulnerabilities/vulnerabilities.ts';
import { PROTOCOL_NAMES } from './wire/protocols.ts';

/** What takes many connections to find out, so scheduled runs do it once an hour. JSON. */
export interface Enumeration {
  scan: ScanFacts;
  /** null: there was nothing to test */
  vulnerabilities: Tested | null;
  /** when it began, milliseconds since 1970 */
  at: number;
}

export interface Enumerating {
  /** it has reached the server */
  dialer: Dialer;
  /** milliseconds of the handshake; absent if there was none */
  took?: number;
  /** called with what is known before the tests for vulnerabilities begin */
  afterScan: (scan: ScanFacts) => Promise<void>;
}

/** What a run knows of it. */
export interface Enumerated extends Enumeration {
  /** what is missing is left to the scheduled runs after this one */
  goesOn: boolean;
}

/** How long scheduled runs use an enumeration, seconds. */
const KEPT = 3_600;

/** How many scheduled runs in a row may be too short for an enumeration, this one included. */
const TRIES = 3;
/** How long a try counts: the longest interval of checks. Seconds. */
const TRIED = 86_400;

/** How many scans a process makes at once, each of another target: more would only make each other late. */
const SCANS_AT_ONCE = 32;

/**
 * Protocols, ciphers and vulnerabilities of a server: what an earlier run found, unless this run must scan anew, and
 * whatever is still missing. Runs that need a scan of the same target make it one after another, and scheduled ones
 * use the first one's. When time is up, it returns what it has.
 *
 * @throws RunAborted, OwnTrouble, what `afterScan` throws
 */
export const enumerate = async (enumerating: Enumerating, context: RunContext): Promise<Enumerated> => {
  const { dialer, afterScan } = enumerating;
  const { clock, signal } = context;
  const before = await recalled(dialer, context);
  if (before?.vulnerabilities) {
    await afterScan(before.scan);
    return { ...before, goesOn: false };
  }
  const all = gateOf('scans of TLS servers');
  const ofTarget = gateOf(`scans of ${dialer.peers}`);
  let found: Enumeration;
  try {
    found = await inside(ofTarget, 1, signal, () =>
      inside(all, SCANS_AT_ONCE, signal, () => lookAt(enumerating, context)),
    );
  } catch (error) {
    if (error !== signal.reason || error instanceof RunAborted) throw error;
    // Its turn did not come in time.
    found = { at: clock.now(), scan: createScan(dialer, { clock }).facts(), vulnerabilities: null };
    await afterScan(found.scan);
  }
  return { ...found, goesOn: await goesOn(dialer, found, context) };
};

const lookAt = async ({ dialer, took, afterScan }: Enumerating, context: RunContext): Promise<Enumeration> => {
  const { clock, memory } = context;
  // Another run may have found it while this one waited.
  const before = await recalled(dialer, context);
  const at = before?.at ?? clock.now();
  const scan = before?.scan ?? (await scanned(dialer, took, context));
  await afterScan(scan);
  const vulnerabilities = before?.vulnerabilities ?? (await tested(dialer, scan, context));
  const isWhole = vulnerabilities?.complete === true;
  if (scan.complete && isSpoken(scan) && (!before || (isWhole && !before.vulnerabilities))) {
    // Only the tests need the certificates; tests that were cut off are repeated.
    const kept: Enumeration = isWhole
      ? { at, scan: { ...scan, chains: [] }, vulnerabilities }
      : { at, scan, vulnerabilities: null };
    const age = Math.max(0, (clock.now() - at) / 1_000);
    memory.remember(keyOf(dialer), kept, Math.max(1, KEPT - age));
  }
  return { scan, vulnerabilities, at };
};

/** What earlier runs found out; nothing for a run that must scan anew. */
const recalled = async (dialer: Dialer, { fresh, memory }: RunContext): Promise<Enumeration | undefined> =>
  fresh ? undefined : ((await memory.recall(keyOf(dialer))) as Enumeration | undefined);

/** Whether something is missing that a later run may well find out, since few before this one have failed to. */
const goesOn = async (dialer: Dialer, found: Enumeration, { fresh, memory }: RunContext): Promise<boolean> => {
  if (fresh) return false;
  const key = `${keyOf(dialer)}\ntries`;
  if (found.scan.complete && found.vulnerabilities?.complete === true) {
    memory.remember(key, 0, 1);
    return false;
  }
  const tries = Number((await memory.recall(key)) ?? 0) + 1;
  memory.remember(key, tries, TRIED);
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

/** Called when time is up, too: what the scan has found is kept. */
const tested = async (dialer: Dialer, scan: ScanFacts, context: RunContext): Promise<Tested | null> => {
  if (!isSpoken(scan)) return null;
  const vulnerabilities = await vulnerabilitiesOf(dialer, scan, context);
  if (context.signal.reason instanceof RunAborted) throw context.signal.reason;
  return vulnerabilities;
};

/** Whether the server speaks any of the protocols. */
export const isSpoken = ({ protocols }: ScanFacts): boolean => PROTOCOL_NAMES.some((name) => protocols[name].supported);
