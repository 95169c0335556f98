/** A range of ports, both ends inclusive. */
export type PortRange = readonly [from: number, to: number];

const PORT = 65_535;

/** A list of ports is invalid. The message is a sentence. */
export class InvalidPorts extends Error {
  constructor(text: string) {
    super(`"${text}" is neither a port nor a range of ports.`);
    this.name = 'InvalidPorts';
  }
}

/** Parses a list such as `80,443,1024-65535`. @throws InvalidPorts */
export const parsePorts = (list: string): PortRange[] =>
  list.split(',').map((part) => {
    const text = part.trim();
    const [, from = '', to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
    const range = [Number(from), Number(to)] as const;
    if (from === '' || range[0] < 1 || range[1] > PORT || range[0] > range[1]) throw new InvalidPorts(text);
    return range;
  });

export const isAmongPorts = (ports: readonly PortRange[], port: number): boolean =>
  ports.some(([from, to]) => from <= port && port <= to);

/** Returns the ports as text, such as `80, 443 and 1024-65535`. */
export const portsInWords = (ports: readonly PortRange[]): string => {
  const words = ports.map(([from, to]) => (from === to ? from.toString() : `${from}-${to}`));
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
};
