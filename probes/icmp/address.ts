import type { NetworkContext } from '../../network/context.ts';
import { LookupFailed, allowedAddresses } from '../../network/open-connection.ts';
import type { Address } from '../../network/resolve.ts';
import { whyNoRoute } from '../../network/route.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';

export type IpVersion = 'v4' | 'v6' | 'auto';

/**
 * Returns the address of a host to ping. Only addresses that the policy allows are considered. `auto` prefers IPv6 if
 * the machine has a route.
 *
 * If the context's signal aborts, rejects with the signal's reason.
 *
 * @throws LookupFailed, TargetRefused, LocalFailure
 * @throws ProbeFailure if the host has no address of this version
 */
export const addressFor = async (host: string, version: IpVersion, context: NetworkContext): Promise<Address> => {
  const [first, ...more] = await allowedAddresses(host, null, { ...context, resolve: only(version, context) }).catch(
    (error: unknown) => {
      if (error instanceof LookupFailed && error.code === NONE) throw noneOf(host, version);
      throw error;
    },
  );
  if (version !== 'auto') return first;
  const all = [first, ...more];
  for (const address of all.filter(({ family }) => family === 6))
    if ((await whyNoRoute(address)) === null) return address;
  return all.find(({ family }) => family === 4) ?? first;
};

/** Error code of a look-up that found addresses, but none of the requested version. */
const NONE = 'ENONEOFVERSION';

/** Returns a resolver that ignores addresses of the other IP version, so that the policy does not evaluate them. */
const only =
  (version: IpVersion, { resolve }: NetworkContext): NetworkContext['resolve'] =>
  async (host) => {
    const all = (await resolve(host)).map(unmapped);
    if (version === 'auto' || all.length === 0) return all;
    const wanted = all.filter(({ family }) => family === (version === 'v4' ? 4 : 6));
    if (wanted.length > 0) return wanted;
    throw Object.assign(new Error(`${host} has no address of IP${version}.`), { code: NONE });
  };

/** Converts an IPv4 address in IPv6 notation (`::ffff:192.0.2.1`) to IPv4 notation (`192.0.2.1`), which ICMP needs. */
const unmapped = (given: Address): Address => {
  const [, inner] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(given.address) ?? [];
  return inner === undefined ? given : { address: inner, family: 4 };
};

const noneOf = (host: string, version: IpVersion): ProbeFailure =>
  new ProbeFailure('down', 'lookup', `${host} has no ${version === 'v4' ? 'IPv4' : 'IPv6'} address.`);
