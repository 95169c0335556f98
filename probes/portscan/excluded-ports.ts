import type { PortscanParameters } from '../../domain/check/types/portscan.ts';
import { RESERVED, type TargetPolicy } from '../../domain/target/policy.ts';
import { TargetRefused } from '../../network/open-connection.ts';

/**
 * Returns the ports of an address that a scan leaves out, because they belong to the Uptrail service itself.
 *
 * @throws TargetRefused if all requested ports are reserved, or if the check expects a reserved port to be open
 */
export const excludedPorts = (
  target: string,
  address: string,
  parameters: PortscanParameters,
  policy: TargetPolicy,
): readonly number[] => {
  const { ports = 'top-ports:100', assertions = {} } = parameters;
  const reserved = policy.reservedPorts(address);
  const refused = (port: number): TargetRefused => new TargetRefused(target, address, port, RESERVED);
  const expected = assertions.expected_open_ports?.find((port) => reserved.includes(port));
  if (expected !== undefined) throw refused(expected);
  if (ports.startsWith('top-ports:')) return reserved;
  const ranges = ports.split(',').map(rangeOf);
  const concerned = reserved.filter((port) => ranges.some(([from, to]) => from <= port && port <= to));
  const [first] = concerned;
  if (first !== undefined && ranges.every((range) => isWhollyIn(range, concerned))) throw refused(first);
  return concerned;
};

/** Parses a range of ports: `8000-8100` or `80`. */
const rangeOf = (text: string): [from: number, to: number] => {
  const [from = '', to = from] = text.split('-');
  return [Number(from), Number(to)];
};

const isWhollyIn = ([from, to]: [number, number], ports: readonly number[]): boolean =>
  ports.filter((port) => from <= port && port <= to).length === to - from + 1;

/** Returns a sentence about the excluded ports for the result; null if there are none. */
export const excludedPortsSentence = (ports: readonly number[], address: string): string | null => {
  if (ports.length === 0) return null;
  const [word, are] = ports.length === 1 ? ['Port', 'is'] : ['Ports', 'are'];
  return `${word} ${ports.join(', ')} of ${address} ${are} left out: ${RESERVED}.`;
};
