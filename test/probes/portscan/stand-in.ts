import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The behaviour of the substitute for nmap, as lines of a shell script. */
export interface Script {
  /** script for the first call, which finds open ports */
  finding?: string;
  /** script for the second call, which detects services and writes XML */
  closer?: string;
}

/**
 * Installs a substitute for `nmap` at the beginning of PATH. It shows behaviour that the real program does not show on
 * demand.
 */
export const createStandIn = () => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-nmap-'));
  const path = process.env['PATH'] ?? '';
  process.env['PATH'] = `${folder}:${path}`;
  const calls = join(folder, 'calls');
  return {
    /** Sets the behaviour from now on, and deletes the record of earlier calls. */
    does: ({ finding = 'true', closer = 'true' }: Script): void => {
      const script = [
        '#!/bin/sh',
        `printf '%s\\n' "$*" >> '${calls}'`,
        'case "$*" in',
        '*"-oX -"*)',
        closer,
        ';;',
        '*)',
        finding,
        ';;',
        'esac',
      ];
      writeFileSync(join(folder, 'nmap'), `${script.join('\n')}\n`, { mode: 0o755 });
      writeFileSync(calls, '');
    },
    /** Returns the arguments of each call. */
    calls: (): string[] =>
      readFileSync(calls, 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    /** Writes a text to a file, which a script can print with `cat`. @returns the path */
    file: (name: string, text: string): string => {
      const file = join(folder, name);
      writeFileSync(file, text);
      return `cat '${file}'`;
    },
    close: (): void => {
      process.env['PATH'] = path;
      rmSync(folder, { recursive: true });
    },
  };
};

/**
 * Returns what `nmap -v` prints about a host.
 *
 * @param states by port
 * @param hidden the ports summarised as "Not shown"
 */
export const nmapOutput = (
  states: Record<number, string>,
  hidden = '97 closed tcp ports (reset)',
  protocol = 'tcp',
) => {
  const ports = Object.entries(states);
  return [
    'Starting Nmap 7.93 ( https://nmap.org ) at 2026-11-22 17:46 UTC',
    'Scanning 127.0.0.1 [100 ports]',
    ...ports.flatMap(([port, state]) =>
      state.startsWith('open ') ? [`Discovered open port ${port}/${protocol} on 127.0.0.1`] : [],
    ),
    'Completed SYN Stealth Scan at 17:46, 0.01s elapsed (100 total ports)',
    'Nmap scan report for 127.0.0.1',
    'Host is up (0.000040s latency).',
    ...(hidden === '' ? [] : [`Not shown: ${hidden}`]),
    'PORT      STATE  SERVICE',
    ...ports.map(([port, state]) => `${port}/${protocol} ${state}`),
    '',
    'Nmap done: 1 IP address (1 host up) scanned in 0.05 seconds',
    '           Raw packets sent: 3 (132B) | Rcvd: 7 (296B)',
    '',
  ].join('\n');
};

/**
 * Returns a report of nmap as XML.
 *
 * @param ports ports with their states, by default open; `service` contains the attributes of the service element
 * @param ending the text after the list of ports
 */
export const report = (
  ports: readonly { port: number; state?: string; service?: string; protocol?: string }[],
  ending = '<runstats><finished time="1" exit="success"/><hosts up="1" down="0" total="1"/></runstats>\n</nmaprun>\n',
): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE nmaprun>',
    '<?xml-stylesheet href="file:///usr/bin/../share/nmap/nmap.xsl" type="text/xsl"?>',
    '<!-- Nmap 7.93 scan initiated Sun Nov 22 17:47:21 2026 as: nmap -n -&#45;privileged -->',
    '<nmaprun scanner="nmap" args="nmap -n" start="1" version="7.93" xmloutputversion="1.05">',
    '<host starttime="1" endtime="2"><status state="up" reason="user-set" reason_ttl="0"/>',
    '<address addr="127.0.0.1" addrtype="ipv4"/>',
    '<hostnames>',
    '</hostnames>',
    '<ports>',
    ...ports.map(
      ({ port, state = 'open', service = 'name="unknown" method="table" conf="3"', protocol = 'tcp' }) =>
        `<port protocol="${protocol}" portid="${port}"><state state="${state}" reason="syn-ack" reason_ttl="64"/><service ${service}/></port>`,
    ),
    '</ports>',
    '</host>',
    ending,
  ].join('\n');
