import { ProbeFailure } from '../engine/probe-failure.ts';
import type { IcmpError } from './fping.ts';

/** Formats a host with its address: `example.com (192.0.2.1)`. If the host is an address, returns only the address. */
const named = (host: string, address: string): string => (host === address ? address : `${host} (${address})`);

/** Facts about the requests to an address. */
export interface PingFacts {
  host: string;
  address: string;
  sent: number;
  received: number;
  /** number of requests that the check wants */
  requested: number;
}

const requests = ({ sent, requested }: PingFacts): string => {
  const words = sent === 1 ? 'echo request' : 'echo requests';
  return sent < requested ? `${sent} ${words} (the timeout is too short for all ${requested})` : `${sent} ${words}`;
};

const NO_ROUTE: Readonly<Record<string, (to: string) => string>> = {
  EACCES: (to) => `The runner is not permitted to send to ${to}.`,
  EPERM: (to) => `The runner is not permitted to send to ${to}.`,
  EINVAL: (to) => `One of the runner's routes drops packets to ${to}.`,
};

/** @param code error code of the system, such as `ENETUNREACH` */
export const noRoute = (host: string, address: string, code: string): ProbeFailure => {
  const to = named(host, address);
  return new ProbeFailure('down', 'connect', NO_ROUTE[code]?.(to) ?? `No route to ${to}.`);
};

/** @param waited time that the run waited for each reply, in milliseconds */
export const noAnswer = (facts: PingFacts, waited: number, refusal: IcmpError | null): ProbeFailure => {
  const none = `${named(facts.host, facts.address)} answered none of ${requests(facts)} within ${waited / 1_000} s.`;
  return refusal
    ? new ProbeFailure('down', 'connect', `${none} ${refusal.router} says: ${refusal.words}.`)
    : new ProbeFailure('down', 'timeout', `${none} It is down, or ICMP is dropped there or on the way.`);
};

/** Returns the failure of too much packet loss. `loss` and `limit` are percentages of the sent requests. */
export const lostTooMany = (facts: PingFacts, loss: number, limit: number): ProbeFailure => {
  const answered = `${named(facts.host, facts.address)} answered ${facts.received} of ${requests(facts)}`;
  const words = `${answered}: ${loss} % were lost, more than the ${limit} % allowed.`;
  return new ProbeFailure('failed', 'packet_loss', words);
};
