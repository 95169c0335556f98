import type { ToolEnd } from '../engine/tool.ts';

/** Returns whether nmap failed because it lacks permission to open a raw socket or to capture packets. */
export const lacksRights = ({ code, stderr }: ToolEnd): boolean =>
  code !== 0 &&
  /raw socket|not permitted|permission denied|root privileges|pcap|open device|family not supported/i.test(stderr);

/** Returns the last line that nmap wrote to standard error. */
export const lastErrorLine = ({ stderr }: ToolEnd): string => {
  const lines = stderr
    .replace(/QUITTING!/g, '')
    .trim()
    .split('\n');
  return (lines.at(-1) ?? '').replace(/[\p{C}\s]+/gu, ' ').slice(0, 200) || 'it did not say why';
};

/** Describes a failure of nmap: `nmap was ended by SIGSEGV`. */
export const describeEnd = (end: ToolEnd): string =>
  end.signal === null
    ? `nmap ended with code ${String(end.code)} (${lastErrorLine(end)})`
    : `nmap was ended by ${end.signal}`;
