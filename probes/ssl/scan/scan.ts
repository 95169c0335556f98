import type { Clock } from '../../../network/clock.ts';
import { allOf } from '../../engine/all-of.ts';
import type { Dialer } from '../dial.ts';
import type { ProtocolName } from '../wire/protocols.ts';
import { createHelloSender, refusalOf } from './send-hello.ts';
import { findCiphers } from './ciphers.ts';
import type { Refusal, ScanFacts } from './facts.ts';
import { createScanFindings } from './findings.ts';
import { candidates, FORMS, partsOf, type HelloForm } from './offers.ts';

/** Finds the protocols and cipher suites of a server. */
export interface Scan {
  /**
   * Finds protocols first, then cipher suites. At any time, even after a failure, `facts` returns the results so far.
   *
   * @throws the signal's reason; LocalFailure; ConnectFailed or StartTlsFailed if there was no connection at all
   */
  run: () => Promise<void>;
  facts: () => ScanFacts;
}

export interface ScanOptions {
  clock: Pick<Clock, 'monotonic'>;
  /** duration of an earlier handshake, in milliseconds; determines the timeout for an unresponsive server */
  took?: number;
}

/**
 * Protocols that share the forms of hello: a server that understands a form in one of these protocols understands it in
 * all of them.
 */
const OLDER = ['tls_1_2', 'tls_1_1', 'tls_1_0'] as const;
const TLS = ['tls_1_3', ...OLDER] as const;

export const createScan = (dialer: Dialer, { clock, took = 0 }: ScanOptions): Scan => {
  const findings = createScanFindings();
  const asker = createHelloSender(dialer, clock, took);

  /** Sends one hello. @returns the server's refusal; null if it supports the protocol or accepts no more connections */
  const greet = async (protocol: ProtocolName, form: HelloForm): Promise<Refusal | null> => {
    const found = findings.of(protocol);
    const [first = []] = partsOf(candidates(protocol), form);
    const reply = await asker.ask(protocol, form, first);
    if (reply.kind === 'lost') return null;
    if (reply.kind === 'refused') {
      found.refusal ??= reply.refusal;
      return reply.refusal;
    }
    Object.assign(found, { supported: true, form, refusal: null });
    findings.chosen(protocol, reply.chosen);
    return null;
  };

  /** Tries other forms of hello if the server may not have understood the first form. */
  const insist = async (protocol: ProtocolName, forms: readonly HelloForm[]): Promise<void> => {
    const found = findings.of(protocol);
    if (found.supported || !found.refusal) return;
    let refusal: Refusal = found.refusal;
    for (const form of forms) {
      if (isFinal(refusal)) break;
      const next = await greet(protocol, form);
      if (next === null) return;
      refusal = next;
    }
    found.complete = true;
  };

  /** Returns the other forms of hello that are worth trying after a refusal. */
  const otherForms = (protocol: ProtocolName): readonly HelloForm[] => {
    const speaks = (name: ProtocolName): boolean => findings.of(name).supported;
    const { refusal } = findings.of(protocol);
    const [, ...others] = FORMS[protocol];
    if (!TLS.some(speaks)) return others;
    if (refusal?.kind === 'alert' && refusal.name !== 'illegal_parameter') return [];
    if (protocol === 'tls_1_3' || !OLDER.some(speaks)) return others;
    // The server understands the form `full` in another protocol. The hello or its response may have been lost, so
    // `full` is repeated.
    return refusal?.kind === 'silent' ? ['full'] : [];
  };

  const ssl2 = async (): Promise<void> => {
    const found = findings.of('ssl_2_0');
    const answer = await asker.askSsl2(candidates('ssl_2_0'));
    if (answer.kind === 'lost') return;
    if (answer.kind === 'hello') {
      Object.assign(found, { supported: true, suites: [...new Set(answer.suites)] });
      if (answer.certificate) findings.chain([answer.certificate]);
    } else if (answer.kind === 'error') found.refusal = { kind: 'alert', name: `error ${answer.code}` };
    else found.refusal = refusalOf(answer.kind === 'alert' ? { ...answer, fatal: true } : answer);
    found.complete = true;
  };

  const ssl3 = async (): Promise<void> => {
    await greet('ssl_3_0', 'full');
    await insist('ssl_3_0', otherForms('ssl_3_0'));
  };

  const ciphers = async (protocol: ProtocolName): Promise<void> => {
    if (findings.of(protocol).supported) await findCiphers(protocol, asker, findings);
  };

  return {
    run: async () => {
      await allOf(TLS.map((protocol) => greet(protocol, 'full')));
      const forms = new Map(TLS.map((protocol) => [protocol, otherForms(protocol)]));
      await allOf(TLS.map((protocol) => insist(protocol, forms.get(protocol) ?? [])));
      await allOf([ssl2(), ssl3().then(() => ciphers('ssl_3_0')), ...TLS.map(ciphers)]);
    },
    facts: findings.facts,
  };
};

/** Returns whether another form of hello would get the same refusal. */
const isFinal = (refusal: Refusal): boolean =>
  refusal.kind === 'other' ||
  refusal.kind === 'garbage' ||
  (refusal.kind === 'alert' && refusal.name === 'protocol_version');
