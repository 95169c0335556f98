import { Type } from '@sinclair/typebox';
import { api } from './api.ts';
import { defineCheckType, type CheckType } from './check-type.ts';
import { CommonParameters } from './common.ts';
import { dns } from './dns.ts';
import { icmp } from './icmp.ts';
import { multistep } from './multistep.ts';
import { portscan } from './portscan.ts';
import { ssl } from './ssl.ts';
import { synthetic } from './synthetic.ts';
import { tcp } from './tcp.ts';
import { web } from './web.ts';

/** All check types; those that this release can run are in probes/index.ts. */
export const CHECK_TYPES: readonly CheckType[] = [
  // in the order of spec.md
  web,
  tcp,
  ssl,
  api,
  portscan,
  synthetic,
  multistep,
  icmp,
  dns,
];

/** Their names, for schemas. */
export const CHECK_TYPE_NAMES: readonly string[] = CHECK_TYPES.map(({ name }) => name);

const byName = new Map(CHECK_TYPES.map((type) => [type.name, type]));

/** Whether this release knows a type: another release that runs beside it may know more. */
export const isCheckType = (name: string): boolean => byName.has(name);

/**
 * What is known about a type. For one that only another release knows, this keeps its checks intact: nothing is
 * dropped, and everything that is a secret of any type counts as one.
 */
export const checkTypeOf = (name: string): CheckType => byName.get(name) ?? foreign(name);

const foreign = (name: string): CheckType =>
  defineCheckType({
    name,
    target: { url: 'optional', host: 'optional', port: 'optional' },
    parameters: CommonParameters,
    sealed: EVERY_SEALED_TEXT,
    secretMetadata: [...new Set(CHECK_TYPES.flatMap(({ secretMetadata }) => secretMetadata))],
    metadata: Type.Object({}),
    credits: 1,
  });

/** Texts that are sealed in checks of any type, each once. */
export const EVERY_SEALED_TEXT = [...new Set(CHECK_TYPES.flatMap(({ sealed }) => sealed))];
