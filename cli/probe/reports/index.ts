import type { CheckTypeName } from '../../../domain/check/events.ts';
import { dnsReport } from './dns.ts';
import { icmpReport } from './icmp.ts';
import { portscanReport } from './portscan.ts';
import type { Report } from './report.ts';
import { scriptReport } from './script.ts';
import { sslReport } from './ssl.ts';

/** The check types that have a report of their own. Other types get a table of facts (cli/probe/present.ts). */
export const REPORTS: ReadonlyMap<CheckTypeName, Report> = new Map([
  ['ssl', sslReport],
  ['dns', dnsReport],
  ['icmp', icmpReport],
  ['portscan', portscanReport],
  ['multistep', scriptReport],
  ['synthetic', scriptReport],
]);
