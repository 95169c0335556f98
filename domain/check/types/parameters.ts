import type { TSchema } from '@sinclair/typebox';
import type { CheckTypeName } from '../events.ts';
import { DnsParameters } from './dns.ts';
import { IcmpParameters } from './icmp.ts';
import { PortscanParameters } from './portscan.ts';
import { ScriptParameters } from './script.ts';
import { SslParameters } from './ssl.ts';
import { TcpParameters } from './tcp.ts';
import { WebParameters } from './web.ts';

/** What `parameters` of each type must look like (spec.md: parameters by type). */
export const parametersOf: Readonly<Record<CheckTypeName, TSchema>> = {
  web: WebParameters,
  api: WebParameters,
  tcp: TcpParameters,
  ssl: SslParameters,
  icmp: IcmpParameters,
  dns: DnsParameters,
  portscan: PortscanParameters,
  multistep: ScriptParameters,
  synthetic: ScriptParameters,
};
