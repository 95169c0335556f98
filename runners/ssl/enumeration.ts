import { ConnectFailed } from '../../network/connect.ts';
import { RunAborted, type RunContext } from '../probe/check-type.ts';
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

/** How long scheduled runs use an enumeration, seconds. */
const KEPT = 3_600;

/**
 * Protocols, ciphers and vulnerabilities of a server: what an earlier run found, unless this run must scan anew, and
 * whatever is still missing. When time is up, it returns what it has.
 *
 * @throws RunAborted, OwnTrouble, what `afterScan` throws
 */
export const enumerate = async (
  { dialer, took, afterScan }: Enumerating,
  context: RunContext,
): Promise<Enumeration> => {
  const { clock, fresh, memory } = context;
  const key = keyOf(dialer);
  const before = fresh ? undefined : ((await memory.recall(key)) as Enumeration | undefined);
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
    memory.remember(key, kept, Math.max(1, KEPT - age));
  }
  return { scan, vulnerabilities, at };
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
