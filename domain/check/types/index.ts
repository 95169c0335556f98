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

/** All check types. probes/index.ts lists the types that this release can run. */
export const CHECK_TYPES: readonly CheckType[] = [
  // The API lists the types in this order.
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

/** The names of all check types, for schemas. */
export const CHECK_TYPE_NAMES: readonly string[] = CHECK_TYPES.map(({ name }) => name);

const byName = new Map(CHECK_TYPES.map((type) => [type.name, type]));

/** Whether this release knows a type. Another process of the cluster might run a newer release with more types. */
export const isCheckType = (name: string): boolean => byName.has(name);

/**
 * Returns the definition of a type. For a type that this release does not know, returns a definition that preserves all
 * data of a check. This definition treats a text as a secret if any known type treats it as a secret.
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

/** The texts that any type seals, without duplicates. */
export const EVERY_SEALED_TEXT = [...new Set(CHECK_TYPES.flatMap(({ sealed }) => sealed))];
